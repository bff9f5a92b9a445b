/** Two tests, of which the first is given a receipt that is none: run by `test/house/receipts.test.ts`, to see it fail. */
import { channel } from 'node:diagnostics_channel';

describe('a process', () => {
  it('that is given an invalid receipt', () => {
    channel('wardenpool.receipt').publish({ schema: 'wardenpool.receipt/1', state: 'complete' });
  });

  it('that is given none', () => {});
});
