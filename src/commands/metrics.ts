import { type Command, InvalidArgumentError } from 'commander';
import { oneLine } from '../core/base/shared/text.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { addApplyCommand, addExampleCommand, addListCommand } from './input/tenant-commands.ts';
import { print } from './presentation/output.ts';
import { administerTenant } from './server/administer.ts';

const EXAMPLE = {
  version: 1,
  metrics: [
    {
      name: 'resolution_rate',
      title: 'Resolution rate',
      description: 'Share of started conversations that were resolved.',
      synonyms: ['solve rate'],
      format: { percent: true, decimals: 1 },
      goodDirection: 'up',
      formula: {
        expression: 'resolved / started',
        parts: {
          resolved: { eventName: 'conversation_resolved', aggregation: 'count' },
          started: { eventName: 'conversation_started', aggregation: 'count' },
        },
      },
    },
    {
      name: 'revenue',
      title: 'Revenue',
      unit: 'USD',
      goodDirection: 'up',
      formula: { eventName: 'order_paid', aggregation: 'sum', propertyKey: 'amount' },
    },
  ],
};

const loadFile = () => import('../core/analytics/metrics/schema.ts');

export function register(program: Command): void {
  const metrics = program
    .command('metrics')
    .description('define, approve, list and deprecate the named metrics of a tenant');

  addApplyCommand(metrics, {
    key: 'name',
    flags: [['--approve', 'approve what the file says, in the name of the operator']],
    apply: async (state, tenantId, definitions, { approve }) => {
      const applied = await state.metricDefinitions.apply(tenantId, definitions, { approve: approve === true });
      return applied.map(({ outcome, metric }) => ({
        name: metric.name,
        outcome,
        version: metric.latestVersion,
        approvedVersion: metric.approvedVersion,
      }));
    },
    shown: {
      header: ['VERSION', 'APPROVED'],
      row: ({ version, approvedVersion }) => [String(version), String(approvedVersion ?? '-')],
    },
    nextSteps: async (_state, _tenantId, applied) =>
      applied.some(({ version, approvedVersion }) => version !== approvedVersion)
        ? ['Approve a version with `metrics approve NAME`, or in the portal.']
        : [],
  });

  withTenant(metrics.command('approve <name>').description('approve a version; the name then stands for it'))
    .option('--metric-version <number>', 'the version; default the newest', versionOf)
    .action((name: string, options: TenantOptions & { metricVersion?: number }) =>
      administerTenant(options, async (tenant, state) => {
        const metric = await state.metricDefinitions.approveByOperator(tenant.id, name, options.metricVersion);
        print(options, { tenant: tenant.name, metric }, [`Version ${metric.version} of ${name} is approved.`]);
      }),
    );

  withTenant(
    metrics.command('deprecate <name>').description('take a metric out of use; its versions can still be asked for'),
  ).action((name: string, options: TenantOptions) =>
    administerTenant(options, async (tenant, state) => {
      const metric = await state.metricDefinitions.deprecate(tenant.id, name, null);
      print(options, { tenant: tenant.name, metric }, [`${name} is deprecated.`]);
    }),
  );

  addListCommand(metrics, {
    description: 'list metrics: the approved version of each, or the newest',
    member: 'metrics',
    list: (state, tenantId) => state.metricDefinitions.listAll(tenantId),
    header: ['NAME', 'TITLE', 'STATE', 'VERSION', 'NEWEST', 'OWNER'],
    row: ({ name, title, state, version, latestVersion, owner }) => [
      name,
      oneLine(title),
      state,
      String(version),
      String(latestVersion),
      oneLine(owner ?? '-'),
    ],
  });

  withTenant(
    metrics.command('export').description('print the definitions of all metrics, as `apply` takes them'),
  ).action((options: TenantOptions) =>
    administerTenant(options, async ({ id }, state) => {
      const { metricFileOf } = await loadFile();
      const inUse = (await state.metricDefinitions.listAll(id)).filter(({ state: one }) => one !== 'deprecated');
      const definitions = { version: 1, metrics: inUse.map(metricFileOf) };
      print(options, definitions, [JSON.stringify(definitions, null, 2)]);
    }),
  );

  addExampleCommand(metrics, 'print definitions to begin with: a formula and a sum', EXAMPLE);
}

function versionOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1.');
  return Number(text);
}
