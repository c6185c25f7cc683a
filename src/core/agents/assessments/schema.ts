import { z } from 'zod';
import { nameSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { rubricReferenceSchema } from './rubric-schema.ts';

/** Characters of an answer to a question of the type `text`. */
export const MAX_TEXT_ANSWER = 2_000;
/** UTF-8 of the answers as JSON. */
export const MAX_ANSWERS_BYTES = 32 * 1024;

const answerSchema = z.union([z.boolean(), z.number(), z.string()], 'must be true, false, a number or a text');
const answersSchema = z.record(z.string(), answerSchema);
export type Answers = z.output<typeof answersSchema>;

export const assessSchema = z.strictObject({
  rubric: rubricReferenceSchema.describe('Its name, for the newest version, or name@version.'),
  answers: z
    .record(z.string(), answerSchema.nullable())
    .refine(
      (answers) => Object.values(answers).some((value) => value !== null),
      'must answer at least one question of the rubric',
    )
    .describe(
      'By the id of the question: true or false, one of its choices, 1 to 5, or a text. Questions may be left out; null counts as left out.',
    ),
  comment: nameSchema(10_000).nullish().describe('Whatever the questions do not ask.'),
});
requestSchemas.add(assessSchema, { id: 'Assess' });
export type Assess = z.output<typeof assessSchema>;

export const ASSESSOR_TYPES = ['user', 'key', 'judge'] as const;

const assessorSchema = z.object({
  type: z.enum(ASSESSOR_TYPES).describe('A person, an API key, or a program that judges.'),
  id: z.string().describe('Of the user, the key or the judge.'),
  label: z.string().describe('E-mail of the user, label of the key or name of the judge, as it was then.'),
});
export type Assessor = z.output<typeof assessorSchema>;

export const assessmentSchema = z.object({
  id: z.string().describe('Made by the server, a UUID.'),
  executionId: z.string().describe('The execution that is assessed.'),
  rubric: z.string().describe('The name of the rubric.'),
  version: z.int().describe('The version of the rubric that was answered.'),
  assessor: assessorSchema.describe('Who answered; it may change and delete the assessment.'),
  answers: answersSchema.describe('By the id of the question; those that were left out are absent.'),
  comment: z.string().nullable().describe('null when there is none.'),
  createdAt: z.string().describe('ISO 8601.'),
  updatedAt: z.string().describe('ISO 8601; of the creation or the last change.'),
});
responseSchemas.add(assessmentSchema, { id: 'Assessment' });
export type Assessment = z.output<typeof assessmentSchema>;

/** In training data. */
export const exportedAssessmentSchema = assessmentSchema
  .pick({ rubric: true, version: true, assessor: true, answers: true })
  .extend({ comment: z.string().optional().describe('Absent when there is none.') });
export type ExportedAssessment = z.output<typeof exportedAssessmentSchema>;

export const assessmentsQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 100 }),
  cursor: z
    .string()
    .regex(/^-?\d{1,16}\.[\w-]{1,64}$/, 'must be `nextCursor` of an answer')
    .optional()
    .describe('`nextCursor` of the page before.'),
});
export type AssessmentsQuery = z.output<typeof assessmentsQuerySchema>;

export const assessmentListSchema = z.object({
  assessments: z.array(assessmentSchema).describe('Oldest first.'),
  nextCursor: z.string().nullable().describe('For the next page; null: this is the last one.'),
  total: z.int().describe('All assessments of the execution, on every page.'),
});
export type AssessmentList = z.output<typeof assessmentListSchema>;

const dateSchema = z.string().max(64).optional();

export const agreementQuerySchema = z.strictObject({
  version: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(999_999_999, 'must be at most 999,999,999')
    .optional()
    .describe('Default: the newest that people have answered, else the newest.'),
  dateFrom: dateSchema.describe('Only assessments made at or after it: ISO 8601, or relative as in queries.'),
  dateTo: dateSchema.describe('Only assessments made before it; a date without time means through that day.'),
});
export type AgreementQuery = z.output<typeof agreementQuerySchema>;

/** Its two parts are the coefficient and the interval. */
const METHODS = ['cohen', 'cohen-quadratic', 'fleiss', 'fleiss-quadratic'] as const;
export const INTERVAL = 'bayesian-bootstrap';
const methods = METHODS.map((coefficient) => `${coefficient}, ${INTERVAL}` as const);

export const agreementSchema = z.object({
  rubric: z.string().describe('The name of the rubric.'),
  version: z.int().describe('The version whose answers are compared.'),
  questions: z
    .array(
      z.object({
        id: z.string().describe('The question.'),
        items: z.int().describe('Executions with answers of at least two people.'),
        assessors: z.int().describe('People who gave these answers.'),
        raw: z
          .number()
          .nullable()
          .describe('Share of pairs of answers that are equal, averaged over the items; null without items.'),
        kappa: z
          .number()
          .nullable()
          .describe('Agreement beyond chance: 1 is complete, 0 is chance; null with one item or one answer.'),
        low: z.number().nullable().describe('The lower end of the 95 % interval of kappa.'),
        high: z.number().nullable().describe('Its upper end.'),
        method: z
          .enum(methods)
          .nullable()
          .describe(
            'The coefficient and the interval. cohen: the same two people answered all items; fleiss: others. quadratic: scales, where near answers agree in part. null where kappa is null.',
          ),
      }),
    )
    .describe('In the order of the rubric, without those of the type text.'),
});
responseSchemas.add(agreementSchema, { id: 'Agreement' });
export type Agreement = z.output<typeof agreementSchema>;
export type QuestionAgreement = Agreement['questions'][number];
