import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { steadyDates } from './steady-dates.ts';

export interface Packed {
  bytes: number;
  sha256: string;
}

/**
 * Packs the files, by their path in the bundle, with Anthropic's tool, which validates the manifest
 * and reports problems on standard output. Reproducible: the same files give the same bytes.
 */
export async function pack(files: Record<string, string | Buffer>, outputPath: string): Promise<Packed> {
  const extensionPath = mkdtempSync(join(tmpdir(), 'agent-runtime-mcpb-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(extensionPath, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      chmodSync(path, 0o644);
    }
    const isPacked = await packExtension({ extensionPath, outputPath, silent: true });
    if (!isPacked) throw new Error('The bundle is not packed, because its manifest is not valid.');
  } finally {
    rmSync(extensionPath, { recursive: true, force: true });
  }
  const bundle = readFileSync(outputPath);
  steadyDates(bundle);
  writeFileSync(outputPath, bundle);
  return { bytes: bundle.length, sha256: createHash('sha256').update(bundle).digest('hex') };
}
