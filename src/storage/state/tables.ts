import { totpPlace } from '../../core/access/second-factor/codes.ts';
import { secretPlace } from '../../core/access/sso/store.ts';
import { credentialPlace } from '../../core/agents/connectors/credentials/service.ts';
import { resealedDefinition } from '../../core/agents/providers/secrets.ts';
import type { SealedRow } from '../../core/base/sealing/rotation.ts';
import { deliveryPlace, targetsPlace } from '../../core/watch/deliveries/targets.ts';
import type { StateTables } from './schema/types.ts';

export type StateTable = keyof StateTables;

type Column<Row> = keyof Row & string;

/** The facts about a table, beside its columns, that removal, transfer and checks need. */
export interface TableFacts<Row> {
  /** The columns of its primary key. */
  key: readonly Column<Row>[];
  /**
   * The way a tenant's rows are removed. `tenant`: with the tenant, by `tenant_id`; `grant`: with
   * the tenant, by its grants; `eraser`: by the erasure before, and while rows are left the
   * database refuses the removal; `cascade`: with rows of another table; null: it has none.
   */
  removedBy: 'tenant' | 'grant' | 'eraser' | 'cascade' | null;
  /** The name of their number in the answer of an erasure; without it they are not counted. */
  countedAs?: string;
  /**
   * Whether a transfer copies it. Others are made from these, or belong to processes that run; the
   * keys of the ring go from ring to ring (`MovableKeyRing`), wrapped again.
   */
  moves: boolean;
  /** The rows that a transfer copies, as a condition; all by default. */
  moved?: string;
  /** Rows stay at the target of a transfer: the audit log loses none, except with its tenant. */
  stays?: true;
  /** Rows that a transfer reads together, where they may be large. */
  rowsAtOnce?: number;
  sealed?: Sealed<Row>;
  /** Columns that hold JSON, and hashes in hexadecimal digits: other values are damaged. */
  json?: readonly Column<Row>[];
  sha256?: readonly Column<Row>[];
}

/** A column with secrets. Null where a row has none. */
export interface Sealed<Row> {
  kind: SealedRow['kind'];
  column: Column<Row>;
  /** The column that names the row, among those of its tenant. */
  name: Column<Row>;
  /** The rows whose secrets are still needed, as a condition; all by default. */
  needed?: string;
  /** The row has a revision: a change that was begun with the former text must not put it back. */
  isRevised?: true;
  /** The column's text with each secret changed. */
  reseal(row: Row, change: Parameters<SealedRow['reseal']>[0]): string;
}

/** All tables, in the order in which rows may be added: none refers to a later one. */
export const TABLES: { [Name in StateTable]: TableFacts<StateTables[Name]> } = {
  tenants: { key: ['id'], removedBy: null, moves: true, stays: true },
  installation: {
    key: ['fact'],
    removedBy: null,
    moves: true,
    // Others are about its place.
    moved: `fact NOT LIKE 'files %' AND fact NOT LIKE 'import %'`,
  },
  runners: { key: ['id'], removedBy: null, moves: false },
  sealing_keys: { key: ['id'], removedBy: null, moves: false },
  agents: { key: ['tenant_id', 'name'], removedBy: 'tenant', countedAs: 'agents', moves: true },
  users: { key: ['id'], removedBy: 'tenant', countedAs: 'users', moves: true, json: ['metadata'] },
  api_keys: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'apiKeys',
    moves: true,
    json: ['scopes'],
    sha256: ['secret_hash', 'former_hash'],
  },
  sessions: { key: ['id'], removedBy: 'tenant', moves: true },
  invitations: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'invitations',
    moves: true,
    sha256: ['secret_hash'],
  },
  quotas: { key: ['tenant_id', 'key_id'], removedBy: 'tenant', moves: true },
  identity_providers: {
    key: ['uid'],
    removedBy: 'tenant',
    countedAs: 'identityProviders',
    moves: true,
    sealed: {
      kind: 'identity provider',
      column: 'sealed_secret',
      name: 'id',
      isRevised: true,
      reseal: ({ uid, definition, sealed_secret: secret }, change) =>
        change(secret ?? '', secretPlace({ uid, issuer: JSON.parse(definition).issuer })),
    },
  },
  user_identities: { key: ['provider_uid', 'issuer', 'subject', 'tenant_id'], removedBy: 'tenant', moves: true },
  session_identities: { key: ['session_id'], removedBy: 'tenant', moves: true },
  used_names: { key: ['name'], removedBy: null, moves: true },
  totp_factors: {
    key: ['user_id'],
    removedBy: 'tenant',
    moves: true,
    sealed: {
      kind: 'TOTP secret',
      column: 'sealed',
      name: 'user_id',
      reseal: (row, change) => change(row.sealed, totpPlace(row.tenant_id, row.user_id)),
    },
  },
  passkeys: { key: ['id'], removedBy: 'tenant', moves: true },
  recovery_codes: { key: ['user_id', 'hash'], removedBy: 'tenant', moves: true },
  oauth_clients: { key: ['id'], removedBy: null, moves: true, json: ['metadata'] },
  oauth_grants: { key: ['id'], removedBy: 'tenant', countedAs: 'grants', moves: true, json: ['scopes'] },
  oauth_records: {
    key: ['kind', 'id_hash'],
    removedBy: 'grant',
    moves: true,
    json: ['content'],
    sha256: ['id_hash'],
  },
  executions: {
    key: ['number'],
    removedBy: 'eraser',
    moves: true,
    json: ['tags', 'metadata', 'usage', 'tools', 'chat'],
  },
  execution_bodies: { key: ['number'], removedBy: 'cascade', moves: true, rowsAtOnce: 20 },
  execution_index: { key: ['rowid'], removedBy: 'cascade', moves: false },
  execution_text_index: { key: ['rowid'], removedBy: 'cascade', moves: false },
  execution_steps: { key: ['number', 'id'], removedBy: 'cascade', moves: true, json: ['usage'], rowsAtOnce: 20 },
  reviews: { key: ['number'], removedBy: 'eraser', moves: true, json: ['tags'] },
  review_counts: {
    key: ['tenant_id', 'agent_id', 'rating', 'status', 'priority'],
    removedBy: 'cascade',
    moves: false,
  },
  review_index: { key: ['rowid'], removedBy: 'cascade', moves: false },
  rubrics: {
    key: ['tenant_id', 'name', 'version'],
    removedBy: 'tenant',
    countedAs: 'rubrics',
    moves: true,
    json: ['definition'],
  },
  assessments: { key: ['id'], removedBy: 'eraser', moves: true, rowsAtOnce: 100, json: ['answers'] },
  queues: { key: ['id'], removedBy: 'tenant', countedAs: 'queues', moves: true, json: ['definition'] },
  queue_items: { key: ['number', 'queue_id'], removedBy: 'cascade', moves: true },
  queue_hands: { key: ['number', 'queue_id', 'assessor'], removedBy: 'cascade', moves: true },
  queue_changes: { key: ['number'], removedBy: 'cascade', moves: true },
  budget_usage: { key: ['tenant_id', 'key_id', 'quarter'], removedBy: 'tenant', moves: true },
  budget_reservations: { key: ['id'], removedBy: 'tenant', moves: false },
  dashboard_tabs: { key: ['id'], removedBy: 'tenant', countedAs: 'dashboardTabs', moves: true },
  dashboard_cards: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'dashboardCards',
    moves: true,
    json: ['config', 'grid_layout'],
  },
  dashboard_links: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'dashboardLinks',
    moves: true,
    json: ['limits'],
    sha256: ['secret_hash'],
  },
  dashboard_changes: { key: ['id'], removedBy: 'tenant', moves: true, rowsAtOnce: 100, json: ['former'] },
  providers: {
    key: ['tenant_id', 'name'],
    removedBy: 'tenant',
    countedAs: 'providers',
    moves: true,
    json: ['definition'],
    sealed: {
      kind: 'provider',
      column: 'definition',
      name: 'name',
      reseal: ({ tenant_id: tenantId, name, definition }, change) =>
        JSON.stringify(resealedDefinition(JSON.parse(definition), { tenantId, name }, change)),
    },
  },
  connectors: {
    key: ['tenant_id', 'slug'],
    removedBy: 'tenant',
    countedAs: 'connectors',
    moves: true,
    json: ['definition'],
  },
  credentials: {
    key: ['tenant_id', 'name'],
    removedBy: 'tenant',
    countedAs: 'credentials',
    moves: true,
    json: ['hosts'],
    sealed: {
      kind: 'credential',
      column: 'sealed',
      name: 'name',
      reseal: ({ tenant_id: tenantId, sealed, hosts, ...row }, change) =>
        change(sealed, credentialPlace(tenantId, { ...row, hosts: JSON.parse(hosts) })),
    },
  },
  metrics: { key: ['tenant_id', 'name', 'version'], removedBy: 'tenant', countedAs: 'metrics', moves: true },
  terms: { key: ['tenant_id', 'term'], removedBy: 'tenant', countedAs: 'terms', moves: true },
  segments: { key: ['tenant_id', 'name'], removedBy: 'tenant', countedAs: 'segments', moves: true },
  first_hours: { key: ['tenant_id', 'name'], removedBy: 'tenant', moves: true },
  annotations: { key: ['id'], removedBy: 'tenant', countedAs: 'annotations', moves: true },
  alerts: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'alerts',
    moves: true,
    sealed: {
      kind: 'alert',
      column: 'targets',
      name: 'id',
      isRevised: true,
      reseal: ({ id, tenant_id: tenantId, targets }, change) =>
        change(targets ?? '', targetsPlace({ kind: 'alert', id }, tenantId)),
    },
  },
  alert_changes: { key: ['id'], removedBy: 'tenant', moves: true },
  digests: {
    key: ['id'],
    removedBy: 'tenant',
    countedAs: 'digests',
    moves: true,
    sealed: {
      kind: 'digest',
      column: 'targets',
      name: 'id',
      isRevised: true,
      reseal: ({ id, tenant_id: tenantId, targets }, change) =>
        change(targets ?? '', targetsPlace({ kind: 'digest', id }, tenantId)),
    },
  },
  delivery_messages: { key: ['id', 'part'], removedBy: 'tenant', moves: true, rowsAtOnce: 20 },
  deliveries: {
    key: ['id'],
    removedBy: 'tenant',
    moves: true,
    rowsAtOnce: 100,
    sealed: {
      kind: 'delivery',
      column: 'target',
      name: 'id',
      needed: `state = 'waiting'`,
      reseal: ({ id, tenant_id: tenantId, target }, change) => change(target ?? '', deliveryPlace(tenantId, id)),
    },
  },
  audit_log: { key: ['id'], removedBy: 'cascade', moves: true, stays: true, json: ['details'] },
};

type AnyRow = Record<string, string | number | Uint8Array | null>;

/** All tables as a list, in the order of TABLES. */
export const ALL_TABLES = Object.entries(TABLES) as unknown as [StateTable, TableFacts<AnyRow>][];

/** The tables with secrets, each with the condition of the rows that have one. */
export const SEALED_TABLES = ALL_TABLES.flatMap(([table, { sealed }]) => {
  if (sealed === undefined) return [];
  const hasSecret = [`${sealed.column} IS NOT NULL`, sealed.needed ?? []].flat().join(' AND ');
  return [{ table, ...sealed, hasSecret }];
});
