import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric, metricQuery, versionsQuery } from '../../../api/metrics.ts';
import { EditorForm, EditorPage } from '../../../editor/editor-page.tsx';
import { MeaningFields } from '../../../editor/meaning-fields.tsx';
import { t } from '../../../language/index.ts';
import { MeasureFields } from '../../../question/fields/measure-fields.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { type Bound, bind, within } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { announce } from '../../../ui/toast.tsx';
import { DIRECTIONS } from '../words.ts';
import {
  changeOf,
  creationOf,
  emptyForm,
  formOf,
  type MetricForm,
  namePath,
  newPart,
  type PartRow,
  partPath,
  refusalOf,
  shownPaths,
} from './state.ts';

/** `question` of the address: what an agent asked and nobody could answer. */
export function NewMetric() {
  const { question } = useSearch({ from: '/shell/metrics/new-metric' });
  return (
    <EditorPage noun="metric" right="metrics:write">
      {() => (
        <Editor start={emptyForm()} metric={null}>
          {question !== undefined && (
            <p className="notice">
              {t.nodes('An agent was asked: {question}', { question: <q dir="auto">{question}</q> })}
            </p>
          )}
        </Editor>
      )}
    </EditorPage>
  );
}

/** The form of the newest version; what is saved is the next one. */
export function EditMetric() {
  const { name } = useParams({ from: '/shell/metrics/$name/edit' });
  const [metrics, versions] = [useQuery(metricQuery(name)), useQuery(versionsQuery(name))];
  const error = metrics.error ?? versions.error;
  const [metric, newest] = [metrics.data?.metric, versions.data?.versions[0]];
  const query = {
    data: error === null && metric && newest ? { metric, newest } : undefined,
    error,
    refetch: () => Promise.all([metrics.refetch(), versions.refetch()]),
  };
  return (
    <EditorPage
      noun="metric"
      right="metrics:write"
      title={t('Edit {title}', { title: metric?.title ?? name })}
      query={query}
    >
      {(stored) =>
        stored && (
          <Editor key={`${name}@${stored.newest.version}`} start={formOf(stored.newest)} metric={stored.metric}>
            <p className="notice">
              {t(
                'This starts from version {version}. Saving proposes version {next}; the name keeps its meaning until an administrator approves it.',
                { version: stored.newest.version, next: stored.newest.version + 1 },
              )}
            </p>
          </Editor>
        )
      }
    </EditorPage>
  );
}

interface EditorProps {
  start: MetricForm;
  /** Null for a new metric. */
  metric: Metric | null;
  children?: ReactNode;
}

function Editor({ start, metric, children }: EditorProps) {
  const navigate = useNavigate();
  const isNew = metric === null;
  const send = async (form: MetricForm) => {
    const refusal = refusalOf(form);
    if (refusal) throw refusal;
    const params = { path: { name: metric?.name ?? '' } };
    const answer = await (isNew
      ? answerOf(client.POST(METRICS, { body: creationOf(form) }))
      : answerOf(client.PATCH(`${METRICS}/{name}`, { params, body: changeOf(form) })));
    return answer.metric;
  };
  const onSaved = async ({ name, latestVersion }: Metric) => {
    await navigate({ to: '/metrics/$name', params: { name } });
    await invalidateMetrics();
    announce(t('Version {version} of “{name}” is proposed', { version: latestVersion, name }));
  };
  return (
    <EditorForm
      noun="metric"
      title={metric?.title ?? null}
      submitLabel={isNew ? t('Propose metric') : t('Propose version')}
      start={start}
      requestOf={changeOf}
      pathsOf={shownPaths}
      send={send}
      onSaved={onSaved}
    >
      {(part) => (
        <>
          {children}
          <MeaningPart isNew={isNew} part={part} />
          <FormulaPart {...part} />
          <FormatPart {...part} />
        </>
      )}
    </EditorForm>
  );
}

/** The meaning of the metric, for people and for searches. */
function MeaningPart({ isNew, part }: { isNew: boolean; part: Bound<MetricForm> }) {
  const field = bind(part);
  return (
    <Section id="meaning" title={t('Meaning')}>
      <MeaningFields
        part={part}
        isNew={isNew}
        nameHelp={t('Questions ask for it by this name, which never changes.')}
        descriptionHelp={t('What it means, and what it leaves out.')}
      />
      <div className="fields">
        <TextField
          label={t('Synonyms')}
          help={t('Other names that people use for it, separated by commas.')}
          {...field.text('synonyms')}
        />
        <TextField
          label={t('Owner')}
          help={t('Who answers questions about it.')}
          maxLength={200}
          {...field.text('owner')}
        />
      </div>
    </Section>
  );
}

/** How its values are written, and which of them are good. */
function FormatPart(part: Bound<MetricForm>) {
  const field = bind(part);
  const format = within(part, 'format');
  const formatField = bind(format, 'format.');
  return (
    <Section id="values" title={t('Values')}>
      <div className="fields">
        <SelectField label={t('Good direction')} options={DIRECTIONS} {...field.choice('goodDirection')} />
        <SelectField
          label={t('Written')}
          value={format.form.percent ? 'percent' : 'number'}
          options={[
            { value: 'number', label: t('As computed') },
            { value: 'percent', label: t('In percent: 0.25 is 25%') },
          ]}
          error={part.messages.at('format.percent')}
          onChoose={(chosen) => format.onChange({ percent: chosen === 'percent' })}
        />
        <TextField label={t('Unit')} placeholder={t('USD, minutes')} maxLength={30} {...field.text('unit')} />
      </div>
      <div className="fields">
        <TextField label={t('Before it')} {...formatField.text('prefix')} />
        <TextField label={t('After it')} {...formatField.text('suffix')} />
        <TextField
          label={t('Decimals')}
          inputMode="numeric"
          placeholder={t('As needed')}
          {...formatField.text('decimals')}
        />
      </div>
    </Section>
  );
}

const MAX_PARTS = 20;
const KINDS = [
  { value: 'measure', label: t('One measure of an event') },
  { value: 'formula', label: t('Arithmetic over several measures') },
] as const;

function FormulaPart(part: Bound<MetricForm>) {
  const { form, messages, onChange } = part;
  const agent = useAgent();
  const field = bind(part, 'formula.');
  const { kind, parts } = form;
  const change = (row: PartRow, members: Partial<PartRow>) =>
    onChange({ parts: parts.map((one) => (one === row ? { ...row, ...members } : one)) });
  return (
    <Section id="formula" title={t('What it measures')}>
      <SelectField
        label={t('Formula')}
        value={kind}
        options={KINDS}
        onChoose={(chosen) => onChange({ kind: chosen })}
      />
      {kind === 'measure' ? (
        <MeasureFields {...within(part, 'measure')} agent={agent} path="formula." />
      ) : (
        <>
          <TextField
            label={t('Expression')}
            help={t('+ - * /, parentheses, numbers and the names of the parts below: resolved / started.')}
            {...field.text('expression')}
            maxLength={500}
            spellCheck={false}
          />
          {messages.at('formula.parts') && <p className="field-error">{messages.at('formula.parts')}</p>}
          {parts.map((row, index) => {
            const number = index + 1;
            return (
              <fieldset key={row.id} className="question-part stack" aria-label={t('Part {number}', { number })}>
                <div className="name-and-button">
                  <TextField
                    label={t('Name of part {number}', { number })}
                    value={row.name}
                    maxLength={50}
                    spellCheck={false}
                    error={messages.at(namePath(index)) ?? messages.at(partPath(row))}
                    onChange={(event) => change(row, { name: event.currentTarget.value })}
                  />
                  <IconButton
                    icon="close"
                    label={t('Remove part {number}', { number })}
                    disabled={parts.length === 1}
                    onClick={() => onChange({ parts: parts.filter((one) => one !== row) })}
                  />
                </div>
                <MeasureFields
                  form={row}
                  agent={agent}
                  messages={messages}
                  path={`${partPath(row)}.`}
                  of={t('part {number}', { number })}
                  withRate={false}
                  onChange={(members) => change(row, members)}
                />
              </fieldset>
            );
          })}
          <div className="row">
            <Button
              icon="add"
              disabled={parts.length >= MAX_PARTS}
              onClick={() => onChange({ parts: [...parts, newPart()] })}
            >
              {t('Add part')}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
