import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { useKnownCards } from '../../../api/dashboards.ts';
import { useSession } from '../../../api/session.ts';
import { EditorPage } from '../../../editor/editor-page.tsx';
import { t } from '../../../language/index.ts';
import { MeasuredFields, useAskedEvent } from '../../../question/fields/asked-fields.tsx';
import { MetricField } from '../../../question/fields/metric-field.tsx';
import { SendingEditor } from '../../../sending/editor.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { type Bound, bind, within } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { ALERTS, type Alert, alertQuery, invalidateAlerts } from '../alerts.ts';
import { canAlert } from '../card.ts';
import { BUCKETS, LIMITS } from '../words.ts';
import { type AlertForm, askedPath, emptyForm, formOf, requestOf, shownPaths } from './state.ts';

const UNITS = [
  { value: 'minutes', label: t('minutes') },
  { value: 'hours', label: t('hours') },
] as const;

/** `cardId` and `metric` of the address: what is checked. */
export function NewAlert() {
  const { cardId, metric } = useSearch({ from: '/shell/alerts/new-alert' });
  const agent = useAgent();
  return (
    <EditorPage noun="alert" right="alerts:write">
      {() => <Editor key={`${cardId} ${metric}`} start={emptyForm({ cardId, metric, agent })} alert={null} />}
    </EditorPage>
  );
}

export function EditAlert() {
  const { id } = useParams({ from: '/shell/alerts/$id/edit' });
  const query = useQuery({ ...alertQuery(id), refetchInterval: false });
  return (
    <EditorPage noun="alert" right="alerts:write" query={query}>
      {(stored) => stored && <Editor key={id} start={formOf(stored.alert)} alert={stored.alert} />}
    </EditorPage>
  );
}

/** `alert` is null for a new one. */
function Editor({ start, alert }: { start: AlertForm; alert: Alert | null }) {
  return (
    <SendingEditor
      noun="alert"
      stored={alert}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      create={(body) => answerOf(client.POST(ALERTS, { body }))}
      change={(id, body) => answerOf(client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body }))}
      invalidate={invalidateAlerts}
      scheduled={t('When it is checked')}
      noTargets={t('No target yet: the state is shown in the portal alone.')}
      afterTargets={(part) => <Cooldown {...part} />}
    >
      {(part) => (
        <>
          <Section id="subject" title={t('What is checked')}>
            <TextField
              label={t('Title')}
              help={t('Messages begin with it.')}
              placeholder={t('Few orders')}
              maxLength={200}
              {...bind(part).text('title')}
            />
            <SubjectPart {...part} />
          </Section>
          <ConditionPart {...part} />
        </>
      )}
    </SendingEditor>
  );
}

function Cooldown(part: Bound<AlertForm>) {
  const field = bind(within(part, 'cooldown'));
  return (
    <div className="fields">
      <TextField
        label={t('Cool-down')}
        help={t('After a message about a problem, only its end is sent during this time.')}
        inputMode="decimal"
        {...field.text('count')}
        error={part.messages.at('cooldown')}
      />
      <SelectField label={t('Unit of the cool-down')} options={UNITS} {...field.choice('unit')} />
    </div>
  );
}

const TYPES = [
  { value: 'threshold', label: t('The value is beyond a limit') },
  { value: 'change', label: t('It changed against the period before') },
  { value: 'anomaly', label: t('It is unusual') },
  { value: 'no_data', label: t('No event was counted') },
] as const;

const HELP = {
  threshold: undefined,
  change: undefined,
  anomaly: t('It is compared with the median of the same times in earlier weeks. Months are too few for that.'),
  no_data: t('For events that should never stop.'),
} as const;

/** The fields of the condition. */
function ConditionPart(part: Bound<AlertForm>) {
  const { messages } = part;
  const { type } = part.form.condition;
  const field = bind(within(part, 'condition'), 'condition.');
  const error = [messages.at('condition'), messages.at('condition.type')].filter(Boolean).join('. ') || undefined;
  const operatorField = (
    <SelectField
      label={type === 'change' ? t('The change is') : t('The value is')}
      {...field.choice('operator')}
      options={LIMITS}
    />
  );
  return (
    <Section id="condition" title={t('When it alerts')}>
      <SelectField label={t('Condition')} help={HELP[type]} options={TYPES} {...field.choice('type')} error={error} />
      {type === 'threshold' && (
        <div className="fields">
          {operatorField}
          <TextField
            label={t('Limit')}
            help={t('A rate of 25% is 0.25.')}
            inputMode="decimal"
            {...field.text('value')}
          />
          <TextField
            label={t('Ends at')}
            help={t('If empty, the limit.')}
            inputMode="decimal"
            {...field.text('clear')}
          />
        </div>
      )}
      {type === 'change' && (
        <div className="fields">
          {operatorField}
          <TextField
            label={t('Percent')}
            help={t('−20 is a fall by a fifth, 50 a rise by half.')}
            inputMode="decimal"
            {...field.text('percent')}
            error={messages.at('condition.ratio')}
          />
        </div>
      )}
    </Section>
  );
}

const SUBJECTS = [
  { value: 'metric', label: t('A metric') },
  { value: 'event', label: t('Events') },
  { value: 'card', label: t('A card') },
] as const;

/** The fields of what is measured, and of the bucket. */
function SubjectPart(part: Bound<AlertForm>) {
  const { form, messages, onChange } = part;
  const { subject } = form;
  const { can } = useSession();
  const subjects = SUBJECTS.filter(({ value }) => value !== 'metric' || can('metrics:read') || subject === 'metric');
  return (
    <>
      <SelectField
        label={t('Measure')}
        value={subject}
        options={subjects}
        onChoose={(chosen) => onChange({ subject: chosen, asked: { ...form.asked, subject: askedSubject(chosen) } })}
      />
      {subject === 'card' ? (
        <CardField {...part} />
      ) : (
        <>
          <AskedPart {...part} />
          <SelectField
            label={t('Period')}
            help={t('A check looks at the last one that is over.')}
            options={BUCKETS}
            {...bind(part).choice('bucket')}
            error={messages.at(`${askedPath(form)}dateGrouping`)}
          />
        </>
      )}
    </>
  );
}

function askedSubject(subject: AlertForm['subject']) {
  return subject === 'event' ? 'event' : 'metric';
}

function AskedPart(part: Bound<AlertForm>) {
  const { agentId } = part.form.others;
  const asked = within(part, 'asked');
  const path = askedPath(part.form);
  const eventName = useAskedEvent(asked.form);
  const agent = typeof agentId === 'string' && agentId !== '*' ? agentId : undefined;
  return (
    <>
      {asked.form.subject === 'metric' && <MetricField {...bind(asked, path).value('metric')} />}
      <MeasuredFields {...asked} path={path} eventName={eventName} agent={agent} />
      {agent !== undefined && <p className="field-help">{t('Events of the agent {agent} alone.', { agent })}</p>}
    </>
  );
}

function CardField({ form: { cardId }, messages, onChange }: Bound<AlertForm>) {
  const cards = useKnownCards()?.filter((card) => canAlert(card) || card.id === cardId) ?? [];
  const chosen = cards.some(({ id }) => id === cardId);
  return (
    <SelectField<string>
      label={t('Card')}
      help={t(
        'One with a single number or a single line. A line is checked by its hours, days, weeks or months, a number by days.',
      )}
      value={chosen ? cardId : ''}
      options={[
        ...(chosen ? [] : [{ value: '', label: t('Choose a card') }]),
        ...cards.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      error={messages.at('cardId')}
      onChoose={(id) => onChange({ cardId: id })}
    />
  );
}
