/** Names of ClickHouse's tables of visits. */
export const EVENTS = 'events';
