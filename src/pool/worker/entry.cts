/**
 * What piscina loads into a worker thread. It would load `main` itself, by `require`, and a thread that is terminated while that loads
 * ES modules aborts the whole process (Node.js 20.20: "Assertion failed: facade->InstantiateModule", "v8::Module::IsGraphAsync must be
 * used on an instantiated module"). One that is terminated while they are imported just ends.
 */
module.exports = import('./main.js').then((main) => main.default);
