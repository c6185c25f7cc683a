import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { inEmptyEnvironment, smoke } from './smoke.ts';

/* `npm run smoke -- COMMAND [ARGUMENTS]`: the smoke test of a release, on any artefact. */

// The program starts in another directory.
const [command, ...args] = process.argv.slice(2).map((one) => (existsSync(one) ? resolve(one) : one));
if (command === undefined)
  throw new Error('Give the command that starts the program: npm run smoke -- build/agent-runtime');

test(`Smoke: ${command}`, (t) => smoke(t, inEmptyEnvironment(t, command, ...args)));
