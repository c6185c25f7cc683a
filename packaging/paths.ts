import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
/** Everything that is built lies here. */
export const BUILD = join(ROOT, 'build');
