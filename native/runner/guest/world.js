/* Takes away what an engine offers and a program must not find. */
() => {
  /* Not ECMAScript. The hooks of Error would hand functions of ours to a program, by the frames of a stack. */
  const foreign = ['InternalError', 'performance', 'navigator', 'gc', 'print', 'scriptArgs'];
  for (const name of foreign) delete globalThis[name];
  delete Error.prepareStackTrace;
};
