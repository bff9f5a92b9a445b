/**
 * What is recorded of runs for those who watch them, in metrics and traces. What goes wrong there, in a library or in what an
 * application has put into one, must not become a matter of the run. Must not know what is recorded.
 */
import { debuglog } from 'node:util';
import { describeThrown } from '../tools/describe-value.js';

const debug = debuglog('wardenpool');

/** What `record` gives; undefined if it throws, which NODE_DEBUG=wardenpool tells. */
export function recorded<T>(what: string, record: () => T): T | undefined {
  try {
    return record();
  } catch (error) {
    debug('%s could not be recorded: %s', what, describeThrown(error));
    return undefined;
  }
}
