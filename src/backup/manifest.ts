import { z } from 'zod';
import { PROGRAM } from '../core/base/shared/program.ts';
import { mayBeInBackup } from './files.ts';

/** Any other format is refused. */
export const FORMAT = 3;
export const MANIFEST_FILE = 'agent-runtime-backup.json';
export const MAX_MANIFEST_BYTES = 1024 * 1024;

const entrySchema = z.object({
  name: z.string().refine(mayBeInBackup, 'is no file of a backup'),
  size: z.int().min(0),
});

/** Parsed first: the rest may differ in another format. */
export const formatSchema = z.object({
  format: z.int().min(1),
  program: z.object({ name: z.literal(PROGRAM.name), version: z.string() }),
});

export const manifestSchema = formatSchema.extend({
  createdAt: z.iso.datetime(),
  events: z.int().min(0),
  /** `state`: the newest migration. `events`: the version of the tables. */
  schema: z.object({ state: z.string(), events: z.int() }),
  entries: z.array(entrySchema).max(100),
});

export type Manifest = z.output<typeof manifestSchema>;
