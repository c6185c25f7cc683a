import { z } from 'zod';
import { memberHints } from '../shared/issues.ts';
import { propertyKeySchema, textSchema } from '../shared/name-schemas.ts';
import { requestSchemas } from '../shared/schema-names.ts';
import { FILTER_HINTS, OPERATOR_SPELLINGS, spelled } from './spellings.ts';

const scalar = z.union([textSchema, z.number(), z.boolean()], 'must be a string, a number or a boolean');
type Scalar = z.output<typeof scalar>;

const VALUE_OPERATORS = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'contains', 'notContains', 'startsWith'] as const;
const LIST_OPERATORS = ['in', 'notIn'] as const;
const PRESENCE_OPERATORS = ['exists', 'notExists'] as const;
/** Accepted with `exists` and `notExists`. */
const PRESENCE_VALUES = new Set<unknown>([true, false, 'true', 'false']);
const OPERATORS = [...VALUE_OPERATORS, ...LIST_OPERATORS, ...PRESENCE_OPERATORS] as const;

export type EventFilter = { propertyKey: string } & (
  | { operator: (typeof VALUE_OPERATORS)[number]; value: Scalar }
  | { operator: (typeof LIST_OPERATORS)[number]; value: Scalar[] }
  | { operator: (typeof PRESENCE_OPERATORS)[number] }
);

const filterShape = z.strictObject({
  propertyKey: propertyKeySchema,
  operator: spelled(OPERATORS, OPERATOR_SPELLINGS),
  value: z
    .union(
      [textSchema, z.number(), z.boolean(), z.array(scalar)],
      'must be a string, a number, a boolean, or an array of them',
    )
    .optional()
    .describe('Array for in and notIn; none for exists.'),
});

export const eventFilterSchema = filterShape
  .superRefine(({ operator, value }, context) => {
    const isList = LIST_OPERATORS.some((one) => one === operator);
    const isPresence = PRESENCE_OPERATORS.some((one) => one === operator);
    const report = (message: string) => context.addIssue({ code: 'custom', path: ['value'], message });
    if (isList && !(Array.isArray(value) && value.length >= 1 && value.length <= 1_000)) {
      const message = `must be an array of 1 to 1,000 values for ${operator}`;
      // A text has a wrong type, so that JSON text is read where it may be.
      const isText = typeof value === 'string';
      const issue = isText ? ({ code: 'invalid_type', expected: 'array' } as const) : ({ code: 'custom' } as const);
      context.addIssue({ ...issue, input: value, path: ['value'], message });
    }
    if (isPresence && value !== undefined && !PRESENCE_VALUES.has(value)) {
      report(`must be left out, true or false for ${operator}`);
    }
    if (!isList && !isPresence && (value === undefined || Array.isArray(value))) {
      report(`must be one string, number or boolean for ${operator}; use in for several, notExists for absent`);
    }
  })
  .transform(({ propertyKey, operator, value }) => {
    const isPresence = operator === 'exists' || operator === 'notExists';
    if (!isPresence) return { propertyKey, operator, value } as EventFilter;
    const isNegated = (operator === 'notExists') !== (value === false || value === 'false');
    return { propertyKey, operator: isNegated ? 'notExists' : 'exists' } as EventFilter;
  });
requestSchemas.add(eventFilterSchema, { id: 'EventFilter' });
memberHints.add(filterShape, FILTER_HINTS);

const FILTERS_EXAMPLE = '[{"propertyKey":"plan","operator":"eq","value":"pro"}]';
export const filtersSchema = z
  .array(eventFilterSchema, `must be an array such as ${FILTERS_EXAMPLE}`)
  .max(50, 'must have at most 50 filters');
