import type { ReactNode } from 'react';
import { useProperties } from '../../api/events.ts';
import { t } from '../../language/index.ts';
import { SegmentField } from '../../question/fields/known-fields.tsx';
import { TableRowsField } from '../../question/fields/table-rows-field.tsx';
import { RangeField, TimeZoneField } from '../../question/fields/time-fields.tsx';
import { FilterRows } from '../../question/filters/filter-rows.tsx';
import { aliasOf } from '../../question/state/table-rows.ts';
import { propertySuggestions } from '../../question/words/choices.ts';
import { bind, within } from '../../ui/bind.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { bindMembers, type PartProps } from './fields/context.ts';
import { FunnelPart, StepsPart } from './fields/funnel.tsx';
import { EventPart, GroupPart, MeasurePart, NumeratorPart, SubjectPart } from './fields/measure.tsx';
import { asksMetric, isGiven, newThreshold, type ThresholdRow } from './state.ts';

/** The fields of the chosen card type. */
export function QuestionForm(props: PartProps) {
  const { cardType, members } = props;
  const isGrouped = cardType === 'line' || cardType === 'bar' || cardType === 'pie';
  return (
    <>
      <Part title={t('Question')}>
        {cardType === 'funnel' && (
          <>
            <StepsPart {...props} />
            <FunnelPart {...props} />
          </>
        )}
        {cardType === 'table' && (
          <>
            <EventPart {...props} />
            <TablePart {...props} />
          </>
        )}
        {cardType !== 'funnel' && cardType !== 'table' && (
          <>
            <SubjectPart {...props} />
            {!asksMetric(cardType, members) &&
              (cardType === 'rate' ? <NumeratorPart {...props} /> : <MeasurePart {...props} />)}
          </>
        )}
        {isGrouped && <GroupPart {...props} />}
      </Part>
      <Part title={cardType === 'funnel' ? t('Filters of all steps') : t('Filters')}>
        <FiltersPart {...props} />
      </Part>
      <Part title={t('Time|of a question')}>
        <RangePart {...props} />
      </Part>
      {(cardType === 'number' || cardType === 'rate') && (
        <Part title={t('Number format')}>
          <FormatPart {...props} />
        </Part>
      )}
      {cardType === 'gauge' && (
        <Part title={t('Scale')}>
          <GaugePart {...props} />
        </Part>
      )}
    </>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="panel padded stack">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function TablePart(props: PartProps) {
  const { members, agent, messages, onChange } = props;
  const { mode, groupBy, metrics, eventName } = members;
  const properties = propertySuggestions(useProperties(eventName, agent), { withFields: true });
  if (mode === 'retention') {
    return (
      <>
        <p className="notice">
          {t('Retention: a row for each cohort')}.{' '}
          {t('What counts as a return, and its periods, are changed in the card’s JSON.')}
        </p>
        <RowLimit {...props} />
      </>
    );
  }
  const isRaw = mode === 'raw';
  const field = bindMembers(props);
  const aliases = metrics.length === 0 ? ['count'] : metrics.map(aliasOf);
  const sortable = isRaw ? properties : [...groupBy.filter(Boolean), ...aliases].map((value) => ({ value }));
  return (
    <>
      <TableRowsField
        rows={{ ...members, mode }}
        eventName={eventName}
        agent={agent}
        messages={messages}
        path="config."
        onMode={(chosen) => onChange({ mode: chosen, sortBy: '' })}
        onChange={onChange}
      />
      <div className="three">
        <Combobox
          label={t('Sort by')}
          {...field.value('sortBy')}
          suggestions={sortable}
          placeholder={isRaw ? t('Newest first') : t('First metric')}
        />
        <SelectField
          label={t('Order')}
          {...field.choice('sortOrder')}
          options={[
            { value: '', label: t('Usual') },
            { value: 'desc', label: t('Largest first') },
            { value: 'asc', label: t('Smallest first') },
          ]}
        />
        <RowLimit {...props} />
      </div>
    </>
  );
}

function RowLimit(props: PartProps) {
  return (
    <TextField label={t('Rows to show')} inputMode="numeric" placeholder="20" {...bindMembers(props).text('limit')} />
  );
}

const COLOURS = [
  { value: '', label: t('Any colour') },
  { value: 'green', label: t('Green') },
  { value: 'amber', label: t('Amber') },
  { value: 'red', label: t('Red') },
];

function GaugePart(props: PartProps) {
  const { messages, onChange } = props;
  const { thresholds } = props.members;
  const change = (row: ThresholdRow, changes: Partial<ThresholdRow>) =>
    onChange({ thresholds: thresholds.map((one) => (one === row ? { ...row, ...changes } : one)) });
  const sent = thresholds.filter(isGiven);
  return (
    <>
      <div className="three">
        {(['min', 'max', 'target'] as const).map((name) => (
          <TextField
            key={name}
            label={{ min: t('From'), max: t('To'), target: t('Target') }[name]}
            inputMode="decimal"
            placeholder={name === 'target' ? t('None') : undefined}
            {...bindMembers(props).text(name)}
          />
        ))}
      </div>
      <fieldset className="rows">
        <legend>{t('Zones')}</legend>
        {messages.at('config.thresholds') && <p className="field-error">{messages.at('config.thresholds')}</p>}
        {thresholds.map((row, index) => {
          const path = `config.thresholds[${sent.indexOf(row)}]`;
          const zone = { number: index + 1 };
          const field = bind({ form: row, messages, onChange: (changes) => change(row, changes) }, `${path}.`);
          const colours = COLOURS.some(({ value }) => value === row.color)
            ? COLOURS
            : [...COLOURS, { value: row.color, label: row.color }];
          return (
            <div key={row.id} className="zone-row">
              <TextField
                label={t('Start of zone {number}', zone)}
                placeholder={t('Begins at')}
                inputMode="decimal"
                {...field.text('value')}
              />
              <TextField label={t('Name of zone {number}', zone)} placeholder={t('Name')} {...field.text('label')} />
              <SelectField
                label={t('Colour of zone {number}', zone)}
                value={row.color}
                options={colours}
                onChoose={(color) => change(row, { color })}
              />
              <IconButton
                icon="close"
                label={t('Remove zone {number}', zone)}
                onClick={() => onChange({ thresholds: thresholds.filter((one) => one !== row) })}
              />
            </div>
          );
        })}
        <Button look="quiet" icon="add" onClick={() => onChange({ thresholds: [...thresholds, newThreshold()] })}>
          {t('Add zone')}
        </Button>
      </fieldset>
    </>
  );
}

function FiltersPart(props: PartProps) {
  const field = bindMembers(props);
  return (
    <>
      <FilterRows {...field.part('filters')} eventName={props.asked} agent={props.agent} />
      <SegmentField {...field.value('segment')} />
    </>
  );
}

function RangePart(props: PartProps) {
  const { cardType, messages } = props;
  const field = bindMembers(props);
  return (
    <>
      <RangeField byDefault={t('Last 30 days (default)')} {...field.part('range')} />
      {(cardType === 'number' || cardType === 'rate') && (
        <Check label={t('Compare with the period before')} {...field.check('compare')} />
      )}
      {messages.at('config.compareTo') && <p className="field-error">{messages.at('config.compareTo')}</p>}
      <TimeZoneField {...field.value('timezone')} />
    </>
  );
}

const PERCENT = [
  { value: '', label: t('Rates only') },
  { value: 'yes', label: t('Yes: 0.25 is 25%') },
  { value: 'no', label: t('No') },
] as const;

function FormatPart({ cardType, members, messages, onChange }: PartProps) {
  const field = bind(within({ form: members, messages, onChange }, 'format'), 'config.format.');
  return (
    <>
      {asksMetric(cardType, members) && (
        <p className="field-help">{t('Empty fields take the format of the metric.')}</p>
      )}
      <div className="three">
        <TextField label={t('Before it')} placeholder="€" {...field.text('prefix')} />
        <TextField label={t('After it')} placeholder=" min" {...field.text('suffix')} />
        <TextField label={t('Decimals')} inputMode="numeric" placeholder={t('As needed')} {...field.text('decimals')} />
      </div>
      <SelectField
        label={t('In percent')}
        {...field.choice('percent')}
        options={
          asksMetric(cardType, members) ? [{ value: '', label: t('As the metric says') }, ...PERCENT.slice(1)] : PERCENT
        }
      />
    </>
  );
}
