import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { invalid } from '../core/base/shared/errors.ts';
import { normalized } from './passphrase-key.ts';

/* The age format (https://age-encryption.org/v1) around an ordinary backup. */

const HEADER = 'age-encryption.org/v1';
/** log2 of scrypt's cost: 128 MB. */
const WORK_FACTOR = 17;

/** The age format does not allow both. Recipients: `age1...`. */
export type Encryption = { passphrase: string; workFactor?: number } | { recipients: string[] };

export interface DecryptionKeys {
  passphrase?: string | undefined;
  /** `AGE-SECRET-KEY-1...`. */
  identities?: string[] | undefined;
}

/** Throws `invalid` for a malformed recipient. */
export function encrypterFor(encryption: Encryption): Encrypter {
  const encrypter = new Encrypter();
  if ('passphrase' in encryption) {
    encrypter.setScryptWorkFactor(encryption.workFactor ?? WORK_FACTOR);
    encrypter.setPassphrase(normalized(encryption.passphrase));
  } else for (const recipient of encryption.recipients) addRecipient(encrypter, recipient);
  return encrypter;
}

export async function encrypted(plain: Readable, encrypter: Encrypter): Promise<Readable> {
  const stream = await encrypter.encrypt(Readable.toWeb(plain) as never);
  return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
}

/** Null when no key opens it. Damage fails while the content is read. */
export async function decrypted(content: Readable, keys: DecryptionKeys): Promise<Readable | null> {
  const decrypter = new Decrypter();
  if (keys.passphrase !== undefined) decrypter.addPassphrase(normalized(keys.passphrase));
  for (const identity of keys.identities ?? []) decrypter.addIdentity(identity);
  try {
    const stream = await decrypter.decrypt(Readable.toWeb(content) as never);
    return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
  } catch (error) {
    if (/no identity matched/.test((error as Error).message)) return null;
    throw error;
  }
}

/** Whether it is encrypted shows at its beginning, which the returned content still has. */
export async function examined(content: Readable): Promise<{ isEncrypted: boolean; content: Readable }> {
  const chunks = content.iterator() as AsyncIterator<Buffer> & AsyncIterable<Buffer>;
  let start = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= HEADER.length) break;
  }
  const whole = async function* () {
    yield start;
    yield* chunks;
  };
  return {
    isEncrypted: start.subarray(0, HEADER.length).toString('latin1') === HEADER,
    content: Readable.from(whole(), { objectMode: false }),
  };
}

/** One identity a line, as `age-keygen` writes them. Throws `invalid`. */
export function readIdentities(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const identities = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    throw invalid(`--identity: ${file} holds a line that is no identity of age (AGE-SECRET-KEY-1...)`);
  }
  if (identities.length === 0) throw invalid(`--identity: ${file} holds no identity of age (AGE-SECRET-KEY-1...)`);
  return identities;
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw invalid(`--recipient: ${recipient} is no recipient of age (age1...)`);
  }
}
