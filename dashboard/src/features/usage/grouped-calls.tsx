import type { UsageBreakdown } from "@parley/contract/usage";
import { useState } from "react";
import { Card } from "../../ui/layout/card.tsx";
import { BreakdownTable } from "./breakdown-table.tsx";
import { GroupingSelect } from "./grouping-select.tsx";
import { usageText } from "./text.ts";
import { callsOfGroup, sortRows, toRows } from "./usage-figures.ts";
import { timeZone } from "./usage-queries.ts";
import type { Grouping, RowOrder, UsageScope } from "./usage-search.ts";
import { GROUPING_LABELS } from "./usage-words.ts";
import { useGroupNames } from "./use-group-names.ts";

interface GroupedCallsProps<Choice extends Grouping> {
  readonly breakdown: UsageBreakdown;
  /** What `breakdown` is grouped by, which may still be the previous choice. */
  readonly shownBy: Grouping;
  readonly by: Choice;
  readonly choices: readonly Choice[];
  readonly scope: UsageScope;
  onGroup(by: Choice): void;
}

/** Calls by a property of the reader's choice. Each group leads to its calls. */
export function GroupedCalls<Choice extends Grouping>(props: GroupedCallsProps<Choice>) {
  const { breakdown, shownBy, by, choices, scope, onGroup } = props;
  const [order, setOrder] = useState<RowOrder | undefined>();
  const nameOf = useGroupNames(shownBy);
  return (
    <Card
      title={usageText.breakdown}
      isFlush
      aside={
        <GroupingSelect
          by={by}
          choices={choices}
          onChoose={(next) => {
            setOrder(undefined);
            onGroup(next);
          }}
        />
      }
    >
      <div className="mt-2">
        <BreakdownTable
          heading={GROUPING_LABELS[shownBy]}
          rows={sortRows(toRows(breakdown.rows, nameOf), order, shownBy)}
          order={order}
          places={null}
          callsOf={(key) => callsOfGroup(shownBy, key, breakdown, scope, timeZone())}
          onSort={setOrder}
        />
      </div>
    </Card>
  );
}
