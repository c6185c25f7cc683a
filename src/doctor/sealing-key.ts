import { statSync } from 'node:fs';
import { resealedDefinition } from '../core/agents/providers/secrets.ts';
import { KeyWrapping } from '../core/base/sealing/key-wrapping.ts';
import { type SealingKeys, sealedKeyId, UnopenableSecret } from '../core/base/sealing/sealing.ts';
import { counted } from '../core/base/shared/text.ts';
import { type ShownKey, StoredKeyRing } from '../storage/installation/key-ring.ts';
import { keyRingPath } from '../storage/installation/key-ring-file.ts';
import { SEALING_KEYS_FILE } from '../storage/installation/names.ts';
import { isUnusableFile } from '../storage/installation/unusable.ts';
import type { SealingKeyRow } from '../storage/state/postgres/examine.ts';
import { checkSilently, type Finding, refuseOpenToOthers } from './findings.ts';
import { readState, type StateRows, type StateSettings } from './state-rows.ts';

export interface SealingKeySettings extends StateSettings {
  secretKey?: string | undefined;
}

export type KeyFinder = Pick<SealingKeys, 'keyFor'>;

const PUT_BACK_KEYS = `Put back ${SEALING_KEYS_FILE}, or the AGENT_RUNTIME_SECRET_KEY from before`;

/** The caller appends what to do when the key is lost. */
export function putBackKeys({ sealingKeys: rows }: StateRows): string {
  return rows === null ? PUT_BACK_KEYS : 'Set AGENT_RUNTIME_SECRET_KEY as the nodes have it';
}

/** A damaged ring opens nothing. `findingsOfSealingKeys` reports it. */
export function sealingKeys(settings: SealingKeySettings, { sealingKeys: rows }: StateRows): KeyFinder {
  if (rows !== null) return { keyFor: (id) => keyOf(rows, id, settings) };
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
  const state = await readState(settings);
  const ids = keyIdsInUse(state);
  if (state.sealingKeys !== null) return findingsOfRows(state.sealingKeys, ids, settings);
  const path = keyRingPath(settings.dataDir);
  let keys: ShownKey[] | null;
  try {
    keys = new StoredKeyRing(settings).read();
  } catch (error) {
    if (isUnusableFile(error)) return [finding('failed', error.message)];
    throw error;
  }
  if (keys === null) return ids.length === 0 ? [] : [finding('failed', missingRing(ids))];
  const [shown, ...problems] = findingsOfRing(keys, ids);
  return [
    shown!,
    ...(await checkSilently(check, () => refuseOpenToOthers(path, statSync(path).mode, '600'))),
    ...problems,
  ];
}

function findingsOfRows(rows: SealingKeyRow[], ids: string[], settings: SealingKeySettings): Finding[] {
  if (rows.length === 0) {
    if (ids.length === 0) return [];
    const needing = counted(ids.length, 'stored secret needs', 'stored secrets need');
    return [finding('failed', `the table sealing_keys is empty, though ${needing} its keys: restore the database`)];
  }
  const wrapping = new KeyWrapping(settings);
  const shown = rows.map(({ id, created_at: createdAt, retired_at: retiredAt, wrapped }) => ({
    id,
    createdAt: new Date(createdAt).toISOString(),
    retiredAt: retiredAt === null ? null : new Date(retiredAt).toISOString(),
    opens: wrapping.unwrap(id, wrapped) !== null,
  }));
  return findingsOfRing(shown, ids);
}

function keyOf(rows: SealingKeyRow[], id: string, settings: SealingKeySettings): Uint8Array {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new UnopenableSecret('another key', 'was sealed with another key than those in the database');
  const key = new KeyWrapping(settings).unwrap(id, row.wrapped);
  if (key !== null) return key;
  throw new UnopenableSecret(
    'another key',
    'was sealed with another AGENT_RUNTIME_SECRET_KEY than the one that is here',
  );
}

function findingsOfRing(keys: ShownKey[], ids: string[]): Finding[] {
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
    ...(closed.length === 0 ? [] : [finding(isNeeded ? 'failed' : 'warning', wrongWrappingKey(closed))]),
    ...(withRetired === 0 ? [] : [finding('warning', unfinishedRotation(withRetired))]),
  ];
}

function wrongWrappingKey(keys: ShownKey[]): string {
  const ids = keys.map(({ id }) => id).join(', ');
  return `${ids} cannot be opened with this AGENT_RUNTIME_SECRET_KEY: set it as the server has it; if it was changed, run \`secrets rotate --previous-key-file FILE\`, with the former one`;
}

function unfinishedRotation(secrets: number): string {
  const needing = secrets === 1 ? '1 secret still needs a retired key' : `${secrets} secrets still need retired keys`;
  return `${needing}: a rotation was cut off, or an older backup was restored. Start \`serve\` or run \`secrets rotate\`, which seal them again`;
}

function missingRing(ids: string[]): string {
  return `${SEALING_KEYS_FILE} is missing, though ${counted(ids.length, 'stored secret needs', 'stored secrets need')} its keys. ${PUT_BACK_KEYS}, or restore a backup. Where it is lost, run \`secrets rotate --abandon-lost\` and set the secrets again`;
}

/** The key id of each stored secret. */
function keyIdsInUse({ credentials, providers, sealedTexts }: StateRows): string[] {
  const sealed = [...credentials.map(({ credential }) => credential.sealed), ...sealedTexts];
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
