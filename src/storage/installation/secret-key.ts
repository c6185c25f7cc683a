import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { deriveKey, type SecretKey, type SecretUse } from '../../core/base/sealing/secret-key.ts';
import { diskFullError, writeDurably } from './disk.ts';
import { SECRET_FILE } from './names.ts';
import { damaged, textIfExists, UnusableFile } from './unusable.ts';

const SECRET_BYTES = 32;
const SECRET = /^[\x20-\x7e]{32,1000}$/;

export interface InstallationSecretOptions {
  dataDir: string;
  secretKey?: string | undefined;
  /** Called before the secret is used. */
  onMade?: (name: string) => void;
}

export class InstallationSecret implements SecretKey {
  private readonly path: string;
  private readonly onMade: (name: string) => void;
  private secret: string | null;

  constructor({ dataDir, secretKey, onMade = () => undefined }: InstallationSecretOptions) {
    this.onMade = onMade;
    this.path = join(dataDir, SECRET_FILE);
    this.secret = secretKey ?? null;
  }

  check(): void {
    this.secret ??= this.read();
  }

  keyFor(use: SecretUse): Uint8Array {
    this.secret ??= this.read() ?? this.make();
    return deriveKey(this.secret, use);
  }

  /** For readers: creates nothing. */
  existingKeyFor(use: SecretUse): Uint8Array | null {
    this.check();
    return this.secret === null ? null : deriveKey(this.secret, use);
  }

  private read(): string | null {
    const text = textIfExists(this.path)?.trim() ?? null;
    if (text === null || SECRET.test(text)) return text;
    throw damaged(this.path, 'is not one line of 32 or more characters');
  }

  /** Atomic: of several processes, one creates it and all use it. */
  private make(): string {
    try {
      writeDurably(this.path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { isNew: true });
      this.onMade(SECRET_FILE);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') throw diskFullError(dirname(this.path), error);
      if (code !== 'EEXIST') {
        throw new UnusableFile(this.path, `cannot be made: ${message}. Set AGENT_RUNTIME_SECRET_KEY instead.`, {
          cause: error,
        });
      }
    }
    return this.read() ?? this.make();
  }
}
