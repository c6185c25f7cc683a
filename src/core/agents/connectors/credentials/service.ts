import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { AuditLog } from '../../../base/audit/log.ts';
import { openWith, type SealingKeys, type SecretPlace, seal, UnopenableSecret } from '../../../base/sealing/sealing.ts';
import { unknownName } from '../../../base/shared/alike-names.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { conflict, invalid, notFound, RuntimeError, tenantRemoved } from '../../../base/shared/errors.ts';
import { LastUses } from '../../../base/shared/last-uses.ts';
import { listNames } from '../../../base/shared/names.ts';
import { parse } from '../../../base/shared/parse.ts';
import { ShortCache } from '../../../base/shared/short-cache.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { describeUse } from '../definition/destinations.ts';
import type { ConnectorStore, CredentialStore, StoredCredential } from '../store.ts';
import { type SetCredential, type ShownCredential, setCredentialSchema } from './schema.ts';

/** Never show, log or record it. */
export interface Credential {
  name: string;
  username: string | null;
  secret: string;
  hosts: string[];
  /** Changes whenever the credential is set. Does not disclose the secret. */
  version: number;
}

export interface CredentialParts {
  store: CredentialStore;
  connectors: Pick<ConnectorStore, 'list' | 'listedCredentials'>;
  sealingKeys: SealingKeys;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const MAX_CACHED = 1_000;

export class CredentialService {
  private readonly parts: CredentialParts;
  private readonly cache: ShortCache<Credential>;
  private readonly uses = new LastUses();

  constructor(parts: CredentialParts) {
    this.parts = parts;
    this.cache = new ShortCache(parts.effects.now, MAX_CACHED);
  }

  /**
   * Keeps existing hosts by default. Throws `invalid` without hosts, and `stale` if it must be new
   * but there is one of this name.
   */
  async set(
    tenantId: string,
    input: z.input<typeof setCredentialSchema>,
    by: Caller | null,
    mustBeNew = false,
  ): Promise<SetCredential> {
    const { name, username = null, secret, hosts: inputHosts } = parse(setCredentialSchema, input);
    const { store, sealingKeys, audit, effects } = this.parts;
    const before = await store.find(tenantId, name);
    if (before && mustBeNew) throw takenName(name);
    const hosts = inputHosts.length > 0 ? inputHosts : (before?.hosts ?? []);
    if (hosts.length === 0) throw await this.missingHosts(tenantId, name);
    const now = effects.now();
    const sealed = seal(await sealingKeys.active(), secret, credentialPlace(tenantId, { name, username, hosts }));
    const times = { createdAt: now, updatedAt: now, lastUsedAt: null };
    const credential = { name, username, sealed, hosts, createdBy: by?.userId ?? null, ...times };
    const put = await (mustBeNew ? store.create(tenantId, credential) : store.put(tenantId, credential));
    if (put === 'unknown tenant') throw tenantRemoved();
    if (put === 'duplicate') throw takenName(name);
    this.cache.clear();
    const outcome = before ? 'changed' : 'created';
    await audit.record(by, tenantId, 'credential.set', name, { outcome, hosts });
    return { name, outcome };
  }

  async list(tenantId: string): Promise<ShownCredential[]> {
    const { store, connectors } = this.parts;
    const listed = await connectors.listedCredentials(tenantId);
    const users = Map.groupBy(listed, ({ credential }) => credential);
    return (await store.list(tenantId)).map((one) => {
      const slugs = (users.get(one.name) ?? []).map(({ slug }) => slug);
      return shownCredential(one, slugs);
    });
  }

  /** Throws `not_found`, or `conflict` while connectors list it. */
  async remove(tenantId: string, name: string, by: Caller | null): Promise<void> {
    const { store, connectors, audit } = this.parts;
    const known = (await store.list(tenantId)).map((one) => one.name);
    if (!known.includes(name)) throw unknownCredential(name, known);
    const users = (await connectors.listedCredentials(tenantId)).filter(({ credential }) => credential === name);
    if (users.length > 0) {
      const names = listNames(users.map(({ slug }) => slug));
      const who = users.length === 1 ? `connector ${names} lists it` : `connectors ${names} list it`;
      throw conflict(`Credential ${JSON.stringify(name)} is needed: ${who}. Change that first.`);
    }
    if (!(await store.remove(tenantId, name))) throw unknownCredential(name, known);
    this.cache.clear();
    await audit.record(by, tenantId, 'credential.removed', name);
  }

  /**
   * Cached for half a second, and recorded as a use. Throws `unavailable` when it is missing or
   * does not open.
   */
  async secretOf(tenantId: string, name: string): Promise<Credential> {
    const { store, effects } = this.parts;
    const id = `${tenantId}\0${name}`;
    const credential = await this.cache.get(id, async () => {
      const stored = await store.find(tenantId, name);
      if (!stored) {
        const problem = `is not stored; \`credentials set ${name}\` stores it`;
        throw new RuntimeError('unavailable', `Credential ${JSON.stringify(name)} ${problem}.`);
      }
      return this.open(tenantId, stored);
    });
    const now = effects.now();
    await this.uses.record(id, now, () => store.touch(tenantId, name, now));
    return credential;
  }

  private async missingHosts(tenantId: string, name: string): Promise<RuntimeError> {
    const use = describeUse(name, await this.parts.connectors.list(tenantId));
    const example = use ?? 'api.example.com for example, and with OAuth the host of the token URL, too';
    return invalid(
      `hosts: name the hosts that the secret may be sent to (\`--hosts\` of \`credentials set\`): ${example}`,
    );
  }

  private open(tenantId: string, stored: StoredCredential): Credential {
    const { name, username, sealed, hosts } = stored;
    try {
      const secret = openCredential(this.parts.sealingKeys, tenantId, stored);
      return { name, username, secret, hosts, version: versionOf(sealed) };
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      const problem = `cannot be used: the stored secret ${error.message}. Set it again: \`credentials set ${name}\``;
      throw new RuntimeError('unavailable', `Credential ${JSON.stringify(name)} ${problem}.`);
    }
  }
}

/** Throws an UnopenableSecret, also for the sealed text of another row. */
export function openCredential(
  keys: Pick<SealingKeys, 'keyFor'>,
  tenantId: string,
  credential: Pick<StoredCredential, 'name' | 'username' | 'hosts' | 'sealed'>,
): string {
  return openWith(keys, credential.sealed, credentialPlace(tenantId, credential));
}

/** User and hosts are sealed in: writing to the row cannot redirect the secret. */
export function credentialPlace(
  tenantId: string,
  { name, username, hosts }: Pick<StoredCredential, 'name' | 'username' | 'hosts'>,
): SecretPlace {
  return ['credential', tenantId, name, 'secret', JSON.stringify([username, hosts])];
}

/** 48 bits of a hash. Timestamps may repeat when the clock is set back. */
function versionOf(sealed: string): number {
  return createHash('sha256').update(sealed).digest().readUIntBE(0, 6);
}

function shownCredential(credential: StoredCredential, connectors: string[]): ShownCredential {
  const { name, username, hosts, createdAt, updatedAt, lastUsedAt } = credential;
  return {
    ...{ name, username, hosts, connectors },
    createdAt: formatUtc(createdAt),
    updatedAt: formatUtc(updatedAt),
    lastUsedAt: lastUsedAt === null ? null : formatUtc(lastUsedAt),
  };
}

function takenName(name: string): RuntimeError {
  return new RuntimeError(
    'stale',
    `There is a credential ${JSON.stringify(name)} already; nothing is stored. Choose another name, or replace the secret of that credential.`,
  );
}

function unknownCredential(name: string, known: readonly string[]): RuntimeError {
  return notFound(`name: ${unknownName('credential', name, known, '`credentials set` stores one')}`);
}
