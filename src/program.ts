import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** What this program calls itself. */
export const PROGRAM = { name: 'agent-runtime', version: manifest.version } as const;
