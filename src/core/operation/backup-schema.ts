import { z } from 'zod';
import { responseSchemas } from '../base/shared/schema-names.ts';

export const beginBackupSchema = z.strictObject({
  passphrase: z
    .string()
    .min(1, 'must not be empty')
    .max(1_000, 'must have at most 1,000 characters')
    .describe('Seals the backup; without it nobody can open the file. It is stored nowhere.'),
});

export const begunBackupSchema = z.object({
  url: z.string().describe('The path of the download: it works once, in this session.'),
  name: z.string().describe('The name of the file.'),
});
responseSchemas.add(begunBackupSchema, { id: 'BegunBackup' });

export const backupTicketSchema = z.strictObject({
  ticket: z.string().min(1).max(100).describe('The ticket that POST /api/v1/portal/backup gave.'),
});

const OUTCOMES = ['sent', 'cancelled', 'expired', 'failed'] as const;
export type BackupOutcome = (typeof OUTCOMES)[number];

export const backupStatusSchema = z.object({
  refusal: z.string().nullable().describe('Why this installation gives no backup here; null where it does.'),
  current: z
    .object({
      state: z
        .enum(['copying', 'ready', 'sending'])
        .describe('The data is being copied, waits for its download, or is being downloaded.'),
      startedAt: z.iso.datetime().describe('When it was asked for.'),
      isOwn: z.boolean().describe('Whether this session has asked for it.'),
      sentBytes: z.int().describe('The bytes of the file so far.'),
      packedBytes: z.int().describe('Of `totalBytes`, those that the file has already.'),
      totalBytes: z.int().nullable().describe('The bytes to be packed; null while they are copied.'),
    })
    .nullable()
    .describe('The backup that is being made; null: none is.'),
  last: z
    .object({
      endedAt: z.iso.datetime().describe('When it ended.'),
      outcome: z.enum(OUTCOMES).describe('Sent to its end, cancelled, never fetched, or failed.'),
      message: z.string().nullable().describe('Why it failed.'),
      bytes: z.int().describe('The bytes that were sent.'),
      events: z.int().nullable().describe('The events that it has; null if it was not ready.'),
    })
    .nullable()
    .describe('The last backup of the portal since the start; null: none was made.'),
});
responseSchemas.add(backupStatusSchema, { id: 'BackupStatus' });
export type BackupStatus = z.output<typeof backupStatusSchema>;
