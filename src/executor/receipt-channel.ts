/** Where receipts can be had without touching the places that make them. */
import { channel } from 'node:diagnostics_channel';
import type { Receipt } from './receipt.js';

const receipts = channel('wardenpool.receipt');

export function publishReceipt(receipt: Receipt): void {
  receipts.publish(receipt);
}
