import { dateParam, textParam } from '../../app/search-params.js';

export type ActivitySearch = {
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly smartlinkId?: string | undefined;
};

export const activitySearch = ({
  action,
  from,
  to,
  smartlinkId,
}: Record<string, unknown>): ActivitySearch => ({
  action: textParam(action),
  from: dateParam(from),
  to: dateParam(to),
  smartlinkId: textParam(smartlinkId),
});
