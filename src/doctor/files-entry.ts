import { type FileSettings, findingsOfFiles } from './files.ts';
import type { Finding } from './findings.ts';

/* The entry of the thread in which a server checks its own files: that blocks for long. */

export default function run(settings: FileSettings): Promise<Finding[]> {
  return findingsOfFiles(settings, true);
}
