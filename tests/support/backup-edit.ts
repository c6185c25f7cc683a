import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { MANIFEST_FILE, type Manifest } from '../../src/backup/manifest.ts';
import { opened } from '../../src/backup/sealing.ts';
import { BACKUP_KEY, sealedContent } from './backup.ts';

export type Files = Map<string, Buffer>;

/** A backup with other content, sealed again; its manifest follows unless the change is to it. */
export async function editedBackup(
  backup: Buffer,
  change: (files: Files, manifest: Manifest) => void,
): Promise<Buffer> {
  const entries = await unpackTar(gunzipSync(await contentOf(backup)));
  const files: Files = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
  const manifest = JSON.parse(files.get(MANIFEST_FILE)!.toString()) as Manifest;
  change(files, manifest);
  if (files.has(MANIFEST_FILE)) files.set(MANIFEST_FILE, Buffer.from(JSON.stringify(manifest, null, 2)));
  const packed = await packTar(
    [...files].map(([name, body]) => ({ header: { name, size: body.length }, body: new Uint8Array(body) })),
  );
  return sealedContent(gzipSync(packed));
}

/** What `packApp` has sealed. */
export async function contentOf(backup: Buffer): Promise<Buffer> {
  const content = await opened(Readable.from([backup], { objectMode: false }), { identities: [BACKUP_KEY] });
  return buffer(content!);
}
