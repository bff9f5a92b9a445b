// Lets Node load the TypeScript of test/ and bench/ through ts-node.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

register('ts-node/esm', pathToFileURL('./'));
