import type { ReactNode } from 'react';
import { FiltersPart, FormatPart, RangePart } from './fields/common.tsx';
import type { PartProps } from './fields/context.ts';
import { FunnelPart, StepsPart } from './fields/funnel.tsx';
import { GaugePart } from './fields/gauge.tsx';
import { EventPart, GroupPart, MeasurePart, NumeratorPart } from './fields/measure.tsx';
import { TablePart } from './fields/table.tsx';

/** The fields of the chosen card type. */
export function QuestionForm(props: PartProps) {
  const { cardType } = props;
  const isGrouped = cardType === 'line' || cardType === 'bar' || cardType === 'pie';
  return (
    <>
      <Part title="Question">
        {cardType === 'funnel' ? <StepsPart {...props} /> : <EventPart {...props} />}
        {cardType === 'funnel' && <FunnelPart {...props} />}
        {cardType === 'rate' && <NumeratorPart {...props} />}
        {cardType === 'table' && <TablePart {...props} />}
        {!['funnel', 'rate', 'table'].includes(cardType) && <MeasurePart {...props} />}
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
