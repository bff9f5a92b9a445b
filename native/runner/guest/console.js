/* The global `console`; `log(level, text)` of the host sends a log frame and says whether there is room for more. */
(parts) => {
  const { inspect, hide } = parts;
  const { log } = parts.host;

  const console = {};
  let open = true;
  const method = (name, level) => {
    console[name] = {
      [name](...values) {
        if (!open) return;
        let text = '';
        const { length } = values;
        for (let i = 0; i < length; i++) {
          const value = values[i];
          text += (i > 0 ? ' ' : '') + (typeof value === 'string' ? value : inspect(value));
        }
        open = log(level, text);
      },
    }[name];
  };
  method('log', 0);
  method('info', 1);
  method('warn', 2);
  method('error', 3);
  method('debug', 4);

  hide(globalThis, 'console', console);
};
