import { z } from 'zod';
import { languageSchema } from '../../../language/messages.ts';
import { limitsSchema } from '../../access/limits/schema.ts';
import { nameSchema } from '../../base/shared/name-schemas.ts';

/* Members that alerts and digests share. */

export const titleSchema = nameSchema(200).refine((text) => !/\p{Cc}/u.test(text), 'must be one line');

export const everySchema = z.string().max(100).describe('A cron expression of 5 fields, such as "0 8 * * 1-5".');

export const zoneSchema = z.string().min(1, 'must not be empty').max(64).describe("IANA name; default the tenant's.");

export const messageLanguageSchema = languageSchema.describe('Language of messages; default en.');

export const makerLimitsSchema = z
  .array(limitsSchema)
  .optional()
  .describe('What its maker was held to: it reads events within alone. Absent: all events.');

/** The maker in queries for alerts and digests. */
export const makerSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .optional()
  .describe('Id of the user who made it or switched it on last.');
