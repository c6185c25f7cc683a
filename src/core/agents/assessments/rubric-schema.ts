import { z } from 'zod';
import { distinctIds, someMember } from '../../base/shared/json.ts';
import { identifierSchema, nameSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';

export const MAX_QUESTIONS = 50;
const MAX_CHOICES = 50;
/** The answers to a question of the type `scale`. */
export const SCALE = { least: 1, most: 5 };

const QUESTION_TYPES = ['boolean', 'choice', 'scale', 'text'] as const;

const ID_ERROR = 'must be a letter, then at most 99 of a-z, 0-9 and _, such as is_polite';
const REFERENCE_ERROR = 'must be the name of a rubric, or name@version such as answer_quality@2';
const REFERENCE = /^([a-z0-9_]{1,100})(?:@([1-9]\d{0,8}))?$/;

export const rubricNameSchema = identifierSchema('answer_quality');
export const rubricReferenceSchema = z.string(REFERENCE_ERROR).regex(REFERENCE, REFERENCE_ERROR);

export interface RubricReference {
  name: string;
  /** The newest where it is undefined. */
  version: number | undefined;
}

/** The schema has checked the text. */
export function readReference(reference: string): RubricReference {
  const [, name, version] = REFERENCE.exec(reference)!;
  return { name: name!, version: version === undefined ? undefined : Number(version) };
}

const questionSchema = z
  .strictObject({
    id: z
      .string(ID_ERROR)
      .regex(/^[a-z][a-z0-9_]{0,99}$/, ID_ERROR)
      .describe('Names the question in answers.'),
    text: nameSchema(500).describe('The question as people read it.'),
    type: z
      .enum(QUESTION_TYPES)
      .describe('boolean: yes or no. choice: one of `choices`. scale: 1 to 5. text: free text.'),
    choices: z
      .array(nameSchema(200))
      .min(2, 'must hold at least 2 choices')
      .max(MAX_CHOICES, `must hold at most ${MAX_CHOICES} choices`)
      .refine((choices) => new Set(choices).size === choices.length, 'must not repeat a choice')
      .optional()
      .describe('Only of a choice, which needs them.'),
    guidance: nameSchema(2_000).optional().describe('How to answer it.'),
  })
  .superRefine(({ type, choices }, context) => {
    if ((type === 'choice') === (choices !== undefined)) return;
    const message = type === 'choice' ? 'is needed by the type choice' : 'is for the type choice alone; leave it out';
    context.addIssue({ code: 'custom', message, path: ['choices'] });
  });
export type RubricQuestion = z.output<typeof questionSchema>;

const definitionShape = {
  title: nameSchema(200).describe('Such as Quality of answers.'),
  questions: z
    .array(questionSchema)
    .min(1, 'must hold at least one question')
    .max(MAX_QUESTIONS, `must hold at most ${MAX_QUESTIONS} questions`)
    .superRefine(distinctIds('is the id of another question'))
    .describe('In the order in which they are asked; each has an id of its own.'),
};

export const createRubricSchema = z.strictObject({
  name: rubricNameSchema.describe('It never changes.'),
  ...definitionShape,
});
requestSchemas.add(createRubricSchema, { id: 'CreateRubric' });
export type CreateRubric = z.output<typeof createRubricSchema>;
export type RubricDefinition = Omit<CreateRubric, 'name'>;

export const updateRubricSchema = z
  .strictObject({
    title: definitionShape.title.optional(),
    questions: definitionShape.questions.optional().describe('Replaces all questions.'),
  })
  .refine(...someMember);
requestSchemas.add(updateRubricSchema, { id: 'UpdateRubric' });
export type UpdateRubric = z.output<typeof updateRubricSchema>;

const versionSchema = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(999_999_999, 'must be at most 999,999,999');

export const rubricQuerySchema = z.strictObject({
  version: versionSchema.optional().describe('Default: the newest. `name@version` as the name asks for it, too.'),
});

export const rubricsQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 100 }),
  cursor: rubricNameSchema.optional().describe('`nextCursor` of the page before.'),
});
export type RubricsQuery = z.output<typeof rubricsQuerySchema>;

export const rubricSchema = z.object({
  name: z.string().describe('Names the rubric in every version.'),
  title: z.string().describe('What people read.'),
  questions: z.array(questionSchema).describe('In the order in which they are asked.'),
  version: z.int().describe('1, and one more with each change.'),
  createdAt: z.string().describe('ISO 8601; of this version.'),
  createdBy: z.string().describe('Label of the key, or e-mail of the user, that made this version.'),
});
responseSchemas.add(rubricSchema, { id: 'Rubric' });
export type Rubric = z.output<typeof rubricSchema>;

export const rubricListSchema = z.object({
  rubrics: z.array(rubricSchema).describe('The newest version of each, by name.'),
  nextCursor: z.string().nullable().describe('For the next page; null: this is the last one.'),
  total: z.int().describe('All rubrics, on every page.'),
});
export type RubricList = z.output<typeof rubricListSchema>;
