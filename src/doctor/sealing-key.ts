import { InstallationSecret } from '../storage/secret-key.ts';
import { isUnusableFile } from '../storage/unusable.ts';

export interface SealingKeySettings {
  dataDir: string;
  secretKey?: string | undefined;
}

/**
 * The key that stored secrets open with. Where there is no secret of the installation, or one that cannot be worked with, which
 * is told of the file itself, none could have sealed them: they say so to any other key.
 */
export function sealingKey(settings: SealingKeySettings): Uint8Array {
  try {
    return new InstallationSecret(settings).existingKeyFor('stored secrets') ?? NO_KEY;
  } catch (error) {
    if (isUnusableFile(error)) return NO_KEY;
    throw error;
  }
}

const NO_KEY = new Uint8Array(32);
