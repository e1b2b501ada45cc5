import { expect, it } from 'vitest';
import { describeError, EngineError } from './engine.js';

it('keeps the code and text of the engine', () => {
  const err = new Error('Query failed: Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE)');
  expect(describeError(err)).toEqual({
    code: 60,
    httpStatus: 404,
    text: 'Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE)',
  });
});

it('puts everything else into the same form', () => {
  expect(describeError(new Error('broken pipe'))).toMatchObject({ code: 1002, httpStatus: 500 });
  expect(describeError(new EngineError(516, 'AUTHENTICATION_FAILED', 'No.')).text).toBe(
    'Code: 516. DB::Exception: No. (AUTHENTICATION_FAILED)',
  );
});
