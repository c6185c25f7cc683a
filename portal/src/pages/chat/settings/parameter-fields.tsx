import type { Capabilities } from '../../../../../src/core/agents/chat/capabilities.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { bind, type Fields } from '../../../ui/bind.ts';
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import type { Conversation } from '../state/conversation.ts';
import { type NumberName, type ParametersForm, problemsOf, RANGES } from '../state/parameters.ts';
import { type Source, sideText, takenBy } from '../state/sides.ts';
import type { ChatActions } from '../use-chat.ts';

interface ParameterFieldsProps {
  conversation: Conversation;
  sources: readonly Source[];
  change: ChatActions['change'];
}

/** The parameters that at least one of the models takes. */
export function ParameterFields({ conversation, sources, change }: ParameterFieldsProps) {
  const { sides, parameters: form } = conversation;
  const models = sides.map((side) => ({ side, takes: takenBy(sources, side, form.legacy) }));
  const problems = problemsOf(form);
  const field = bind<ParametersForm>({
    form,
    messages: { at: (name) => problems[name as keyof ParametersForm], others: [] },
    onChange: (members) => change((before) => ({ ...before, parameters: { ...before.parameters, ...members } })),
  });
  /** Names the models that do not take it; undefined if all do, null if none does. */
  const lackOf = (test: (takes: Capabilities) => boolean): string | undefined | null => {
    const lacking = models.filter(({ takes }) => !test(takes)).map(({ side }) => sideText(side));
    if (lacking.length === 0) return undefined;
    return lacking.length === models.length ? null : t('{model} does not take it.', { model: lacking.join(', ') });
  };
  const most = Math.min(...models.map(({ takes }) => takes.maxOutputTokens ?? RANGES.maxTokens.most));
  const numbers = NUMBERS.map(({ name, label }) => ({ name, label, lack: lackOf((takes) => takes[name]) }));
  return (
    <fieldset className="stack chat-settings">
      <legend>{t('Parameters')}</legend>
      <p className="field-help">{t('What is left empty is as the provider has it.')}</p>
      <div className="halves">
        <TextField
          label={t('Most tokens of the answer')}
          inputMode="numeric"
          placeholder={t('1 to {most}', { most })}
          {...field.text('maxTokens')}
        />
        {numbers.map(
          ({ name, label, lack }) =>
            lack !== null && (
              <TextField
                key={name}
                label={label}
                inputMode="decimal"
                placeholder={rangeText(name)}
                help={lack}
                {...field.text(name)}
              />
            ),
        )}
      </div>
      <TextArea
        label={t('Stop texts')}
        help={t('The answer ends before any of them. One on each line.')}
        rows={2}
        {...field.text('stop')}
      />
      <ThinkingFields field={field} form={form} lack={lackOf(({ thinking }) => thinking !== 'none')} />
      <FormatFields field={field} form={form} models={models.map(({ takes }) => takes)} />
      {(['web_search', 'code_execution'] as const).map((name) => {
        const lack = lackOf(({ serverTools }) => serverTools.includes(name));
        return lack !== null && <Check key={name} label={SERVER_TOOLS[name]} help={lack} {...field.check(name)} />;
      })}
      {sides.some(({ vendor }) => vendor === 'openai') && (
        <Check label={t('OpenAI: the older Chat Completions API')} {...field.check('legacy')} />
      )}
    </fieldset>
  );
}

const NUMBERS: { name: Exclude<NumberName, 'maxTokens'>; label: string }[] = [
  { name: 'temperature', label: t('Temperature') },
  { name: 'topP', label: 'Top P' },
  { name: 'frequencyPenalty', label: t('Frequency penalty') },
  { name: 'presencePenalty', label: t('Presence penalty') },
  { name: 'seed', label: t('Seed') },
];

const SERVER_TOOLS = {
  web_search: t('The provider may search the web'),
  code_execution: t('The provider may run code'),
};

function rangeText(name: Exclude<NumberName, 'maxTokens'>): string {
  if (name === 'seed') return t('a whole number');
  const { least, most } = RANGES[name];
  return t('{least} to {most}', { least, most });
}

interface PartProps {
  form: ParametersForm;
  field: Fields<ParametersForm>;
}

function ThinkingFields({ form, field, lack }: PartProps & { lack: string | null | undefined }) {
  if (lack === null) return null;
  return (
    <div className="halves">
      <SelectField
        label={t('Thinking')}
        help={lack}
        options={[
          { value: '', label: t('As the model does by itself') },
          { value: 'adaptive', label: t('As much as the model sees fit') },
          { value: 'enabled', label: t('Within a budget') },
          { value: 'disabled', label: t('None') },
        ]}
        {...field.choice('thinking')}
      />
      {form.thinking === 'enabled' && (
        <TextField
          label={t('Most tokens of thinking')}
          inputMode="numeric"
          placeholder={(8_192).toLocaleString(LOCALE)}
          {...field.text('budgetTokens')}
        />
      )}
    </div>
  );
}

function FormatFields({ form, field, models }: PartProps & { models: readonly Capabilities[] }) {
  const formats = (['json_object', 'json_schema'] as const).filter((format) =>
    models.some(({ responseFormats }) => responseFormats.includes(format)),
  );
  if (formats.length === 0) return null;
  const labels = { json_object: t('A JSON object'), json_schema: t('JSON that follows a schema') };
  return (
    <>
      <SelectField
        label={t('Form of the answer')}
        options={[
          { value: 'text', label: t('Text') },
          ...formats.map((format) => ({ value: format, label: labels[format] })),
        ]}
        {...field.choice('format')}
      />
      {form.format === 'json_schema' && (
        <TextArea
          label={t('JSON Schema of the answer')}
          className="input"
          rows={6}
          spellCheck={false}
          {...field.text('schema')}
        />
      )}
    </>
  );
}
