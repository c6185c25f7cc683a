import { z } from 'zod';
import type { TenantService } from '../access/auth/tenants.ts';
import { abortable, realTimers } from '../base/concurrency/timers.ts';
import type { Caller } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { conflict, RuntimeError } from '../base/shared/errors.ts';
import { responseSchemas } from '../base/shared/schema-names.ts';
import { formatUtc } from '../base/time/time.ts';

export const systemSchema = z.object({
  versions: z
    .array(
      z.object({
        name: z.string().describe('The program, Node.js, or a database.'),
        version: z.string().nullable().describe('Its version; null: it does not say so at the moment.'),
      }),
    )
    .describe('What runs here.'),
  startedAt: z.iso.datetime().describe('When this process started.'),
  data: z
    .object({
      kind: z.enum(['files', 'nodes']).describe('Everything in a data directory, or in databases that nodes share.'),
      directory: z.string().describe('The data directory of this process.'),
    })
    .describe('Where data is.'),
  memory: z
    .object({
      limitBytes: z.int().describe('What the server plans with.'),
      limitedBy: z.string().nullable().describe('Who set the limit; null: nobody, other programs use the memory too.'),
      usedBytes: z.int().describe('What is in use and cannot be taken back.'),
    })
    .describe('The memory of this process.'),
  nodes: z
    .array(
      z.object({
        id: z.string().describe('An id that the process has until it ends.'),
        isThis: z.boolean().describe('Whether it is the node that answers.'),
        seenAt: z.iso.datetime().describe('Its last heartbeat; it sends one every 15 seconds.'),
        tasks: z.array(z.string()).describe('What it does for all nodes.'),
      }),
    )
    .nullable()
    .describe('The nodes that are alive; null: one process has everything in files.'),
  logLevel: z.string().describe('AGENT_RUNTIME_LOG_LEVEL: lines below it are not kept.'),
  recentErrors: z
    .array(
      z.object({
        at: z.iso.datetime().describe('When it was logged.'),
        level: z.string().describe('`warn`, `error` or `fatal`.'),
        message: z.string().describe('What happened.'),
        detail: z.string().nullable().describe('The reason, as far as the line has one.'),
        requestId: z.string().nullable().describe('The request in which it happened, to find it in the log.'),
      }),
    )
    .describe('The last 100 warnings and errors of this process, newest first, without contents and secrets.'),
});
responseSchemas.add(systemSchema, { id: 'System' });
export type SystemFacts = z.output<typeof systemSchema>;

const findingSchema = z.object({
  check: z.string().describe('What was checked.'),
  status: z.enum(['ok', 'warning', 'failed']).describe('How it is.'),
  message: z.string().describe('What was found, and the remedy.'),
});
export type CheckFinding = z.output<typeof findingSchema>;

export const doctorReportSchema = z.object({
  ok: z.boolean().describe('Whether nothing has failed.'),
  checkedAt: z.iso.datetime().describe('When the checks began.'),
  findings: z.array(findingSchema).describe('In the order of the checks.'),
});
responseSchemas.add(doctorReportSchema, { id: 'DoctorReport' });

export interface SystemParts {
  tenants: Pick<TenantService, 'requireOperator'>;
  facts(): Promise<SystemFacts>;
  /** The checks of the command `doctor`. Aborting ends them, but for those under way. */
  examine(signal: AbortSignal): Promise<CheckFinding[]>;
  effects: Pick<Effects, 'now'>;
  doctorMs?: number;
}

const DOCTOR_MS = 120_000;

/** Facts and findings of the installation, for the page "System" of the settings. */
export class SystemReports {
  private readonly parts: SystemParts;
  private isExamining = false;

  constructor(parts: SystemParts) {
    this.parts = parts;
  }

  async facts(caller: Caller): Promise<SystemFacts> {
    await this.parts.tenants.requireOperator(caller);
    return this.parts.facts();
  }

  /** Throws `conflict` while another one runs, `timeout`. */
  async doctor(caller: Caller, signal: AbortSignal): Promise<z.output<typeof doctorReportSchema>> {
    const { tenants, examine, effects, doctorMs = DOCTOR_MS } = this.parts;
    await tenants.requireOperator(caller);
    if (this.isExamining) throw conflict('The checks are running already. Wait for their end.');
    this.isExamining = true;
    const checkedAt = formatUtc(effects.now());
    const late = new AbortController();
    const cancel = realTimers.after(doctorMs, () => late.abort(tooSlow(doctorMs)));
    const stopped = AbortSignal.any([signal, late.signal]);
    const examining = examine(stopped).finally(() => {
      this.isExamining = false;
    });
    // A check may still fail when nobody waits for it any more.
    examining.catch(() => undefined);
    const findings = await abortable(examining, stopped).finally(cancel);
    return { ok: findings.every(({ status }) => status !== 'failed'), checkedAt, findings };
  }
}

function tooSlow(ms: number): RuntimeError {
  const message = `The checks took longer than ${ms / 1_000} s and were ended. Run \`agent-runtime doctor\` on the machine.`;
  return new RuntimeError('timeout', message);
}
