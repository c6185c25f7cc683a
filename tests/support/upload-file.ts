import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Hygiene } from '../../src/core/knowledge/hygiene.ts';

/** A document is read as it is. */
export const NO_HYGIENE: Hygiene = {
  stripHtml: false,
  removeUrls: false,
  dropEmptyValues: false,
  normalizeWhitespace: false,
  dedupeUnits: false,
};

/** A file of this content until the test ends, named as uploads are. */
export function fileOf(t: TestContext, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-runtime-upload-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'upload');
  writeFileSync(path, content);
  return path;
}
