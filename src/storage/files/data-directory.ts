import { mkdirSync } from 'node:fs';

/** Makes the data directory, readable by this user alone, if it is not there. */
export function makeDataDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
