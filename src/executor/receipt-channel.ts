/** Where receipts can be had without touching the places that make them. */
import { channel } from 'node:diagnostics_channel';
import { RECEIPT_CHANNEL, type Receipt } from './receipt.js';

const receipts = channel(RECEIPT_CHANNEL);

export function publishReceipt(receipt: Receipt): void {
  receipts.publish(receipt);
}
