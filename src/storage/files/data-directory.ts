import { mkdirSync } from 'node:fs';

/** Creates the data directory, accessible to this user only, unless it exists. */
export function makeDataDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
