/** The version of the GNU C library that this Node.js runs on; undefined with another one, as musl is. */
export function runtimeGlibc(): string | undefined {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime;
}
