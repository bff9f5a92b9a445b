/**
 * Loaded by mocha before all tests: every receipt that this process is ever given is held against the published schema. What a
 * subscriber throws is an uncaught exception, which mocha counts as the failure of the test that runs.
 */
import { subscribe } from 'node:diagnostics_channel';
import { assertReceipt } from './receipts.js';

subscribe('wardenpool.receipt', (receipt) => assertReceipt(receipt));
