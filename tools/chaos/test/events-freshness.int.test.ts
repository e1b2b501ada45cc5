import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { startService } from '../../../services/management/test/start-service.js';
import { startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { openTrial } from '../../../services/redirect/test/trial.js';

test('compiles', () => {
  expect(trialSize(1, 1)).toBe(1);
  expect([startService, startRedirect, openTrial]).toHaveLength(3);
});
