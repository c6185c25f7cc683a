import { sql } from 'kysely';
import { totpPlace } from '../../../core/access/second-factor/codes.ts';
import { secretPlace } from '../../../core/access/sso/store.ts';
import { credentialPlace } from '../../../core/agents/connectors/credentials/service.ts';
import { resealedDefinition, type SealedDefinition } from '../../../core/agents/providers/secrets.ts';
import type { SealedRow, SealedRowStore } from '../../../core/base/sealing/sealed-rows.ts';
import { deliveryPlace, targetsPlace } from '../../../core/watch/deliveries/sealing.ts';
import { toCredential } from './credentials.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';
import { toIdentityProvider } from './sso/providers.ts';

/** Table, key and sealed text. */
const COLUMNS = {
  credential: ['credentials', 'name', 'sealed'],
  provider: ['providers', 'name', 'definition'],
  delivery: ['deliveries', 'id', 'target'],
  alert: ['alerts', 'id', 'targets'],
  digest: ['digests', 'id', 'targets'],
  'TOTP secret': ['totp_factors', 'user_id', 'sealed'],
  'identity provider': ['identity_providers', 'id', 'sealed_secret'],
} as const;

const REVISED: ReadonlySet<string> = new Set(['alerts', 'digests', 'identity_providers']);

const TARGETS = ['tenant_id', 'id', 'targets'] as const;

export class SqlSealedRows implements SealedRowStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async list(): Promise<SealedRow[]> {
    const { database } = this;
    const credentials = await database
      .selectFrom('credentials')
      .selectAll()
      .orderBy('tenant_id')
      .orderBy('name')
      .execute();
    const providers = await database.selectFrom('providers').selectAll().orderBy('tenant_id').orderBy('name').execute();
    const deliveries = await database
      .selectFrom('deliveries')
      .select(['tenant_id', 'id', 'target'])
      .where('state', '=', 'waiting')
      .orderBy('id')
      .execute();
    const alerts = await database.selectFrom('alerts').select(TARGETS).orderBy('id').execute();
    const digests = await database.selectFrom('digests').select(TARGETS).orderBy('id').execute();
    const totps = await database
      .selectFrom('totp_factors')
      .select(['tenant_id', 'user_id', 'sealed'])
      .orderBy('user_id')
      .execute();
    const identityProviders = await database
      .selectFrom('identity_providers')
      .selectAll()
      .where('sealed_secret', 'is not', null)
      .orderBy('uid')
      .execute();
    return [
      ...credentials.map(credentialRow),
      ...providers.map(providerRow),
      ...deliveries.map(deliveryRow),
      ...alerts.flatMap((row) => targetsRow('alert', row)),
      ...digests.flatMap((row) => targetsRow('digest', row)),
      ...totps.map(totpRow),
      ...identityProviders.map(identityProviderRow),
    ];
  }

  async replace(changes: { row: SealedRow; stored: string }[]): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      let replaced = 0;
      for (const { row, stored } of changes) {
        const { tenantId, name } = row;
        const [table, key, column] = COLUMNS[row.kind];
        // A change that was begun with the former text must not put it back.
        const revised = REVISED.has(table) ? sql`, revision = revision + 1` : sql``;
        const { numAffectedRows = 0n } = await sql`
          UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${stored}${revised}
          WHERE tenant_id IS NOT DISTINCT FROM ${tenantId} AND ${sql.ref(key)} = ${name} AND ${sql.ref(column)} = ${row.stored}`.execute(
          transaction,
        );
        replaced += Number(numAffectedRows);
      }
      return replaced;
    });
  }
}

function credentialRow(row: StateTables['credentials']): SealedRow {
  const tenantId = row.tenant_id;
  return {
    kind: 'credential',
    tenantId,
    name: row.name,
    stored: row.sealed,
    reseal: (change) => change(row.sealed, credentialPlace(tenantId, toCredential(row))),
  };
}

function providerRow({ tenant_id: tenantId, name, definition }: StateTables['providers']): SealedRow {
  const parsed = JSON.parse(definition) as SealedDefinition;
  return {
    kind: 'provider',
    tenantId,
    name,
    stored: definition,
    reseal: (change) => JSON.stringify(resealedDefinition(parsed, { tenantId, name }, change)),
  };
}

function identityProviderRow(row: StateTables['identity_providers']): SealedRow {
  const { uid, issuer } = toIdentityProvider(row);
  const stored = row.sealed_secret ?? '';
  return {
    kind: 'identity provider',
    tenantId: row.tenant_id,
    name: row.id,
    stored,
    reseal: (change) => change(stored, secretPlace({ uid, issuer })),
  };
}

function deliveryRow({
  tenant_id: tenantId,
  id,
  target,
}: Pick<StateTables['deliveries'], 'tenant_id' | 'id' | 'target'>) {
  const stored = target ?? '';
  return {
    kind: 'delivery' as const,
    tenantId,
    name: id,
    stored,
    reseal: (change: Parameters<SealedRow['reseal']>[0]) => change(stored, deliveryPlace(tenantId, id)),
  };
}

function totpRow({
  tenant_id: tenantId,
  user_id: userId,
  sealed,
}: Pick<StateTables['totp_factors'], 'tenant_id' | 'user_id' | 'sealed'>): SealedRow {
  return {
    kind: 'TOTP secret',
    tenantId,
    name: userId,
    stored: sealed,
    reseal: (change) => change(sealed, totpPlace(tenantId, userId)),
  };
}

function targetsRow(
  kind: 'alert' | 'digest',
  { tenant_id: tenantId, id, targets }: Pick<StateTables['alerts'], (typeof TARGETS)[number]>,
): SealedRow[] {
  if (targets === null) return [];
  return [
    {
      kind,
      tenantId,
      name: id,
      stored: targets,
      reseal: (change) => change(targets, targetsPlace({ kind, id }, tenantId)),
    },
  ];
}
