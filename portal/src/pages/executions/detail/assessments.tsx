interface AssessmentsProps {
  executionId: string;
}

/** The place of what several people, judges and programs say of an execution. */
export function Assessments(_props: AssessmentsProps) {
  return null;
}
