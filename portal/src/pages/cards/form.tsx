import type { ReactNode } from 'react';
import { FiltersPart, FormatPart, RangePart } from './fields/common.tsx';
import type { PartProps } from './fields/context.ts';
import { FunnelPart, StepsPart } from './fields/funnel.tsx';
import { GaugePart } from './fields/gauge.tsx';
import { EventPart, GroupPart, MeasurePart, NumeratorPart, SubjectPart } from './fields/measure.tsx';
import { TablePart } from './fields/table.tsx';
import { asksMetric } from './state.ts';

/** The fields of the chosen card type. */
export function QuestionForm(props: PartProps) {
  const { cardType, members } = props;
  const isGrouped = cardType === 'line' || cardType === 'bar' || cardType === 'pie';
  return (
    <>
      <Part title="Question">
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
      <Part title={cardType === 'funnel' ? 'Filters of all steps' : 'Filters'}>
        <FiltersPart {...props} />
      </Part>
      <Part title="Time">
        <RangePart {...props} />
      </Part>
      {(cardType === 'number' || cardType === 'rate') && (
        <Part title="Number format">
          <FormatPart {...props} />
        </Part>
      )}
      {cardType === 'gauge' && (
        <Part title="Scale">
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
