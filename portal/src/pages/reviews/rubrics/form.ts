import type { Schemas } from '../../../api/schemas.ts';
import { nameOfTitle } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';

type Rubric = Schemas['Rubric'];
type Question = Rubric['questions'][number];

export interface QuestionForm {
  /** '' for a new one: made of its text. */
  id: string;
  text: string;
  type: Question['type'];
  /** One a line. */
  choices: string;
  guidance: string;
}

/** The texts of the form of a rubric. */
export interface RubricDefinition {
  title: string;
  /** '': made of the title. */
  name: string;
  questions: QuestionForm[];
}

export const TYPES = [
  { value: 'boolean', label: t('Yes or no') },
  { value: 'choice', label: t('One of some') },
  { value: 'scale', label: t('1 to 5') },
  { value: 'text', label: t('A text') },
] as const;

export const NEW_QUESTION: QuestionForm = { id: '', text: '', type: 'boolean', choices: '', guidance: '' };

/** The form of a rubric, or of a new one. */
export function definitionOf(rubric: Rubric | null): RubricDefinition {
  return {
    title: rubric?.title ?? '',
    name: rubric?.name ?? '',
    questions: rubric?.questions.map(({ choices, guidance = '', ...question }) => ({
      ...question,
      choices: choices?.join('\n') ?? '',
      guidance,
    })) ?? [NEW_QUESTION],
  };
}

/** The members of the request that makes the next version. */
export function requestOf({ title, questions }: RubricDefinition) {
  const taken = new Set(questions.map(({ id }) => id));
  return { title: title.trim(), questions: questions.map((question) => questionOf(question, taken)) };
}

function questionOf({ id, text, type, choices, guidance }: QuestionForm, taken: Set<string>): Question {
  return {
    id: id || newId(text, taken),
    text: text.trim(),
    type,
    ...(type === 'choice' && { choices: linesIn(choices) }),
    ...(guidance.trim() !== '' && { guidance: guidance.trim() }),
  };
}

function linesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

const MAX_MADE = 60;

/** "was_it_polite" of "Was it polite?"; another one where that is taken. */
function newId(text: string, taken: Set<string>): string {
  const name = nameOfTitle(text).slice(0, MAX_MADE);
  const wanted = /^[a-z]/.test(name) ? name : `question_${name}`.replace(/_$/, '');
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}_${number}`;
  taken.add(id);
  return id;
}

const MAX_QUESTIONS = 50;

/** The paths of the fields in the request. */
export const PATHS = [
  ...['title', 'name', 'questions'],
  ...Array.from({ length: MAX_QUESTIONS }, (_, index) =>
    ['text', 'choices', 'guidance'].map((name) => pathOf(index, name)),
  ),
].flat();

export function pathOf(index: number, member: string): string {
  return `questions[${index}].${member}`;
}

/** The members of a form in words, as two versions are compared. */
export function wordsOf({ title, questions }: RubricDefinition): [label: string, text: string][] {
  return [
    [t('Title'), title],
    [t('Questions'), questions.map(questionInWords).join(' · ')],
  ];
}

/** "Which tone? (One of some: warm, cold)" */
function questionInWords({ text, type, choices, guidance }: QuestionForm): string {
  const label = TYPES.find(({ value }) => value === type)!.label;
  const answer = type === 'choice' ? `${label}: ${linesIn(choices).join(', ')}` : label;
  return `${text} (${[answer, guidance].filter(Boolean).join('; ')})`;
}
