import type { FieldMessages } from '../../api/field-messages.ts';
import { t } from '../../language/index.ts';
import { SelectField } from '../../ui/field.tsx';
import { AGGREGATIONS, type Aggregation, takesNumbers } from '../words/words.ts';
import { PropertyField } from './known-fields.tsx';

interface Measure<Name extends string> {
  aggregation: Name;
  propertyKey: string;
}

interface AggregationFieldProps<Name extends string> extends Measure<Name> {
  label?: string;
  eventName: string;
  agent: string | undefined;
  /** Choices without a property, in addition to the aggregations: a rate, for example. */
  others?: readonly { value: NoInfer<Name>; label: string }[];
  messages: FieldMessages;
  /** Precedes both members in the paths of messages: "config.". */
  path: string;
  onChange(measure: Measure<NoInfer<Name>>): void;
}

/** The fields of the aggregation and its property. */
export function AggregationField<Name extends string = Aggregation>(props: AggregationFieldProps<Name>) {
  const {
    label = t('What to compute'),
    aggregation,
    propertyKey,
    eventName,
    agent,
    others = [],
    messages,
    path,
    onChange,
  } = props;
  const takesProperty = (name: string) => name !== 'count' && AGGREGATIONS.some(({ value }) => value === name);
  const isNumeric = takesNumbers(aggregation as Name & Aggregation);
  return (
    <div className="measure">
      <SelectField
        label={label}
        value={aggregation}
        options={[...(AGGREGATIONS as readonly { value: Name; label: string }[]), ...others]}
        error={messages.at(`${path}aggregation`)}
        onChoose={(chosen) => onChange({ aggregation: chosen, propertyKey: takesProperty(chosen) ? propertyKey : '' })}
      />
      {/* A count of a property counts the events that have it. */}
      {(takesProperty(aggregation) || propertyKey !== '') && (
        <PropertyField
          label={t('Property')}
          value={propertyKey}
          eventName={eventName}
          agent={agent}
          numericFirst={isNumeric}
          withFields={!isNumeric}
          error={messages.at(`${path}propertyKey`)}
          onChange={(key) => onChange({ aggregation, propertyKey: key })}
        />
      )}
    </div>
  );
}
