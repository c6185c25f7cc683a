import { statSync } from 'node:fs';
import { resealedDefinition } from '../core/providers/secrets.ts';
import { type SealingKeys, sealedKeyId, UnopenableSecret } from '../core/sealing/sealing.ts';
import { counted } from '../core/shared/text.ts';
import { type ShownKey, StoredKeyRing } from '../storage/files/key-ring.ts';
import { keyRingPath } from '../storage/files/key-ring-file.ts';
import { SEALING_KEYS_FILE } from '../storage/files/names.ts';
import { isUnusableFile } from '../storage/files/unusable.ts';
import { examineCredentials, examineProviders, examineSealedTexts } from '../storage/sqlite/examine/tenant-rows.ts';
import { checkSilently, type Finding, refuseOpenToOthers } from './findings.ts';

export interface SealingKeySettings {
  dataDir: string;
  secretKey?: string | undefined;
  previousSecretKey?: string | undefined;
}

export type KeyFinder = Pick<SealingKeys, 'keyFor'>;

/** The caller appends what to do when the key is lost. */
export const PUT_BACK_KEYS = `Put back ${SEALING_KEYS_FILE}, or the AGENT_RUNTIME_SECRET_KEY or secret.key from before`;

/** A damaged ring opens nothing. `findingsOfSealingKeys` reports it. */
export function sealingKeys(settings: SealingKeySettings): KeyFinder {
  const ring = new StoredKeyRing(settings);
  return {
    keyFor: (id) => {
      try {
        return ring.keyFor(id);
      } catch (error) {
        if (!isUnusableFile(error)) throw error;
        throw new UnopenableSecret('another key', `needs ${SEALING_KEYS_FILE}, which cannot be read`);
      }
    },
  };
}

const check = 'sealing keys';

export async function findingsOfSealingKeys(settings: SealingKeySettings): Promise<Finding[]> {
  const ids = await keyIdsInUse(settings.dataDir);
  const path = keyRingPath(settings.dataDir);
  let keys: ShownKey[] | null;
  try {
    keys = new StoredKeyRing(settings).read();
  } catch (error) {
    if (isUnusableFile(error)) return [finding('failed', error.message)];
    throw error;
  }
  if (keys === null) return ids.length === 0 ? [] : [findingWithoutRing(ids, settings)];
  const uses = (id: string) => ids.filter((one) => one === id).length;
  const shown = keys.map(
    ({ id, createdAt, retiredAt }) =>
      `${id} (${retiredAt === null ? 'active' : 'retired'}, of ${createdAt.slice(0, 10)}) has sealed ${counted(uses(id), 'secret')}`,
  );
  const closed = keys.filter(({ opens }) => !opens);
  const isNeeded = closed.some(({ id, retiredAt }) => retiredAt === null || uses(id) > 0);
  const withRetired = keys.reduce((sum, { id, retiredAt }) => sum + (retiredAt === null ? 0 : uses(id)), 0);
  return [
    finding('ok', shown.join('; ')),
    ...(await checkSilently(check, () => refuseOpenToOthers(path, statSync(path).mode, '600'))),
    ...(closed.length === 0 ? [] : [finding(isNeeded ? 'failed' : 'warning', wrongWrappingKey(closed))]),
    ...(withRetired === 0 ? [] : [finding('warning', unfinishedRotation(withRetired))]),
  ];
}

function wrongWrappingKey(keys: ShownKey[]): string {
  const ids = keys.map(({ id }) => id).join(', ');
  return `${ids} cannot be opened with this AGENT_RUNTIME_SECRET_KEY: set it as the server has it, or give the former one as AGENT_RUNTIME_PREVIOUS_SECRET_KEY`;
}

function unfinishedRotation(secrets: number): string {
  const needing = secrets === 1 ? '1 secret still needs a retired key' : `${secrets} secrets still need retired keys`;
  return `${needing}: a rotation was cut off, or an older backup was restored. Start \`serve\` or run \`secrets rotate\`, which seal them anew`;
}

function findingWithoutRing(ids: string[], settings: SealingKeySettings): Finding {
  const ring = new StoredKeyRing(settings);
  const opened = [...new Set(ids)].filter((id) => opens(ring, id));
  if (opened.length > 0) {
    const sealed = counted(ids.length, 'secret is', 'secrets are');
    return finding(
      'ok',
      `none yet: ${sealed} sealed as version 0.1 did; the next start makes ${SEALING_KEYS_FILE} of its key`,
    );
  }
  return finding(
    'failed',
    `${SEALING_KEYS_FILE} is missing, though ${counted(ids.length, 'stored secret needs', 'stored secrets need')} its keys. ${PUT_BACK_KEYS}, or restore a backup with its passphrase. Where it is lost, run \`secrets rotate --abandon-lost\` and set the secrets again`,
  );
}

function opens(ring: KeyFinder, id: string): boolean {
  try {
    ring.keyFor(id);
    return true;
  } catch {
    return false;
  }
}

/** One for each stored secret. */
async function keyIdsInUse(dataDir: string): Promise<string[]> {
  const credentials = await examineCredentials(dataDir);
  const providers = await examineProviders(dataDir);
  const texts = await examineSealedTexts(dataDir);
  const sealed = [...credentials.map(({ credential }) => credential.sealed), ...texts];
  for (const { tenantId, provider } of providers) {
    resealedDefinition(provider.definition, { tenantId, name: provider.name }, (text) => {
      sealed.push(text);
      return text;
    });
  }
  return sealed.map(sealedKeyId).filter((id) => id !== null);
}

function finding(status: Finding['status'], message: string): Finding {
  return { check, status, message };
}
