import { choiceOf, fieldsOf, malformed, refused } from './body-problems';
import { conditionLimits } from './check-condition';
import { decimalOf, wholeDecimalOf } from './check-value';
import { periods } from './check-window';
import { WrittenCondition, WrittenRepeat, WrittenWindow } from './written-body';

/** Checks how often a goal pays; throws a coded error that names the place. */
export function checkRepeat(value: unknown, goal: WrittenCondition): WrittenRepeat {
  const fields = fieldsOf(value, 'repeat', ['once', 'per', 'every']);
  if (Object.keys(fields).length !== 1)
    throw malformed('repeat', 'must be {"once":true}, {"per":"day|week|month"} or {"every":"N"}');
  if ('every' in fields) return checkEvery(fields.every, goal);
  if ('per' in fields) return { per: choiceOf(fields.per, 'repeat.per', periods) };
  if (fields.once !== true) throw malformed('repeat.once', 'must be true');
  return { once: true };
}

function checkEvery(every: unknown, goal: WrittenCondition): WrittenRepeat {
  if (!('count' in goal) && !('sum' in goal))
    throw refused('goal', 'a goal that repeats with "every" has to be one count or one sum');
  if (isMoving(goal.window))
    throw refused(
      'goal.window',
      'a goal that repeats with "every" needs one of {"task":true}, {"lifetime":true}, {"since":"link"}, {"between":[…]}',
    );
  if (goal.op !== 'gte') throw refused('goal.op', 'a goal that repeats with "every" needs gte');
  const bounds = { min: 1, max: conditionLimits.count };
  return {
    every: 'count' in goal ? wholeDecimalOf(every, 'repeat.every', bounds) : decimalOf(every, 'repeat.every', true),
  };
}

/** Whether events leave the window again, so that its value says nothing about how often it was reached. */
function isMoving(window: WrittenWindow | undefined): boolean {
  return window !== undefined && ('rolling' in window || 'calendar' in window);
}
