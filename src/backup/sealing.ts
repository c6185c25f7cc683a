import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { deriveKey } from '../core/base/sealing/secret-key.ts';
import { invalid } from '../core/base/shared/errors.ts';

/* The age format (https://age-encryption.org/v1) encrypts and authenticates a backup. */

const HEADER = 'age-encryption.org/v1\n';
const PASSPHRASE_HEADER = `${HEADER}-> scrypt `;
/** A 32-byte key follows this beginning of a PKCS #8 document of X25519. */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');

/**
 * The secret that opens a backup: the passphrase, an identity of a recipient (`age1...`), or the
 * key of the installation (32 bytes, derived from its secret).
 */
export type Sealing =
  | { passphrase: string; workFactor: number }
  | { recipients: string[] }
  | { installation: Uint8Array };

export interface OpeningKeys {
  passphrase?: string | undefined;
  /** Texts that begin with `AGE-SECRET-KEY-1`, or keys of installations. */
  identities: (string | Uint8Array)[];
}

/** Throws `invalid` for a malformed recipient. */
export async function encrypterFor(sealing: Sealing): Promise<Encrypter> {
  const encrypter = new Encrypter();
  if ('passphrase' in sealing) {
    encrypter.setScryptWorkFactor(sealing.workFactor);
    encrypter.setPassphrase(normalized(sealing.passphrase));
  } else if ('recipients' in sealing) {
    for (const recipient of sealing.recipients) addRecipient(encrypter, recipient);
  } else encrypter.addRecipient(await identityToRecipient(await identityOf(sealing.installation)));
  return encrypter;
}

export async function sealed(content: Readable, encrypter: Encrypter): Promise<Readable> {
  const stream = await encrypter.encrypt(Readable.toWeb(content) as never);
  return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
}

/** Null when no key opens it. A changed or truncated content fails while it is read. */
export async function opened(content: Readable, { passphrase, identities }: OpeningKeys): Promise<Readable | null> {
  const decrypter = new Decrypter();
  if (passphrase !== undefined) decrypter.addPassphrase(normalized(passphrase));
  for (const identity of identities) {
    decrypter.addIdentity(typeof identity === 'string' ? identity : await identityOf(identity));
  }
  try {
    const stream = await decrypter.decrypt(Readable.toWeb(content) as never);
    return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
  } catch (error) {
    if (/no identity matched/.test((error as Error).message)) return null;
    throw error;
  }
}

/** Reads the beginning, which the returned content still has. `by`: null for another format. */
export async function examined(content: Readable): Promise<{ by: 'passphrase' | 'key' | null; content: Readable }> {
  const chunks = content.iterator() as AsyncIterator<Buffer> & AsyncIterable<Buffer>;
  let start = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= PASSPHRASE_HEADER.length) break;
  }
  const whole = async function* () {
    yield start;
    yield* chunks;
  };
  const text = start.toString('latin1');
  return {
    by: text.startsWith(PASSPHRASE_HEADER) ? 'passphrase' : text.startsWith(HEADER) ? 'key' : null,
    content: Readable.from(whole(), { objectMode: false }),
  };
}

/**
 * Reads identities of age, one a line, as `age-keygen` writes them; or the one line of a
 * `secret.key`. Throws `invalid`.
 */
export function readIdentities(file: string): OpeningKeys['identities'] {
  const lines = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [secret = ''] = lines;
  if (lines.length === 1 && secret.length >= 32 && !secret.startsWith('AGE-')) return [deriveKey(secret, 'backups')];
  const decrypter = new Decrypter();
  try {
    for (const identity of lines) decrypter.addIdentity(identity);
  } catch {
    throw noIdentity(file);
  }
  if (lines.length === 0) throw noIdentity(file);
  return lines;
}

function noIdentity(file: string) {
  return invalid(`--identity: ${file} holds neither age identities (AGE-SECRET-KEY-1...) nor a secret.key`);
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw invalid(`--recipient: ${recipient} is not an age recipient (age1...)`);
  }
}

function identityOf(installation: Uint8Array): Promise<webcrypto.CryptoKey> {
  const document = Buffer.concat([PKCS8, installation]);
  return webcrypto.subtle.importKey('pkcs8', document, { name: 'X25519' }, false, ['deriveBits']);
}

/** Keyboards write the same characters differently. */
function normalized(passphrase: string): string {
  return passphrase.normalize('NFC');
}
