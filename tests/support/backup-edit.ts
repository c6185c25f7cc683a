import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { MANIFEST_FILE, type Manifest } from '../../src/backup/manifest.ts';

export type Files = Map<string, Buffer>;

/** A backup with other content; its manifest follows unless the change is to it. */
export async function editedBackup(
  backup: Buffer,
  change: (files: Files, manifest: Manifest) => void,
): Promise<Buffer> {
  const entries = await unpackTar(gunzipSync(backup));
  const files: Files = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
  const manifest = JSON.parse(files.get(MANIFEST_FILE)!.toString()) as Manifest;
  change(files, manifest);
  if (files.has(MANIFEST_FILE)) files.set(MANIFEST_FILE, Buffer.from(JSON.stringify(manifest, null, 2)));
  const packed = await packTar(
    [...files].map(([name, body]) => ({ header: { name, size: body.length }, body: new Uint8Array(body) })),
  );
  return gzipSync(packed);
}
