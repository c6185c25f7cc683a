import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { AuditFilterQuery } from '../core/base/audit/schema.ts';
import type { LinesOf } from '../core/base/audit/store.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { withDataDir } from './input/options.ts';
import { administer, optionalTenant } from './server/administer.ts';

interface ExportOptions extends Pick<AuditFilterQuery, 'action' | 'actor' | 'target'> {
  dataDir?: string;
  tenant?: string;
  installation?: boolean;
  from?: string;
  to?: string;
}

export function register(program: Command): void {
  const audit = program.command('audit').description('read the audit log');

  withDataDir(
    audit.command('export').description('write lines of the audit log to standard output, one JSON object a line'),
  )
    .option('--tenant <tenant>', 'only of this tenant, by name or id')
    .option('--installation', 'only of the installation: backups, restores, tenants that were made and erased')
    .option('--action <action>', 'only this action, key.created for example; key. is all on keys')
    .option('--actor <actor>', 'only of this user or key: its id, or its e-mail or label as it was then')
    .option('--target <id>', 'only what was done to this id')
    .option('--from <date>', 'at or after it: 2026-03-01, 2026-03-01T12:00:00Z or -7d for example')
    .option('--to <date>', 'before it; a date without time means through that day')
    .addHelpText(
      'after',
      '\nOldest first; of all tenants and the installation where none is named. The export becomes a line itself.',
    )
    .action(exportLines);
}

async function exportLines({ dataDir, tenant, installation, from, to, ...filter }: ExportOptions): Promise<void> {
  if (tenant !== undefined && installation) throw invalid('--tenant, --installation: give one of them');
  await administer({ dataDir }, async (state) => {
    const named = await optionalTenant(state, { tenant });
    const of: LinesOf = named || installation ? { tenantId: named?.id ?? null } : 'all';
    const lines = await state.audit.exportOf(of, { ...filter, dateFrom: from, dateTo: to }, named?.timezone);
    await pipeline(lines, process.stdout, { end: false }).catch(ignoreClosedPipe);
  });
}

/** A reader such as `head` closes the pipe early. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A failed write is only reported, since the action is done. */
export async function auditInstallation(
  config: Config,
  action: string,
  details: Record<string, unknown>,
): Promise<void> {
  try {
    const { openState } = await import('../app/state.ts');
    const state = await openState(config);
    await state.audit.record(null, null, action, null, details).finally(() => state.close());
  } catch (error) {
    process.stderr.write(`The audit log has no line about it: ${(error as Error).message}\n`);
  }
}
