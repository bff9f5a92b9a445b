/** Receipts, held against the published schema. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Receipt } from '../../src/executor/receipt.js';

export const SCHEMA = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../schemas/receipt-1.schema.json', import.meta.url)), 'utf8'),
) as object;

// Strict: a keyword that means nothing is an error.
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
addFormats.default(ajv);
const validate = ajv.compile(SCHEMA);

/** What is wrong with a receipt; the empty string if nothing is. */
export function receiptProblems(receipt: unknown): string {
  return validate(receipt) ? '' : ajv.errorsText(validate.errors, { dataVar: 'receipt', separator: '\n' });
}

export function assertReceipt(receipt: unknown): asserts receipt is Receipt {
  const problems = receiptProblems(receipt);
  assert.equal(
    problems,
    '',
    `not a receipt by its schema:\n${problems}\n${JSON.stringify(receipt, null, 2)}`,
  );
}
