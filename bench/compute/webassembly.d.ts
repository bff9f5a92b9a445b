/** What the benchmark uses of V8's WebAssembly: its types come with TypeScript's DOM library only, which nothing here needs. */
declare namespace WebAssembly {
  class Module {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
