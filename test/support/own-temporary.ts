/**
 * Loaded by mocha before all tests: each of its processes has a temporary directory of its own, so that what other files leave or make
 * meanwhile is not taken for a test's own.
 */
import { privateTemporary } from './private-temporary.js';

const temporary = privateTemporary();
temporary.enter();
process.once('exit', temporary.leave);
