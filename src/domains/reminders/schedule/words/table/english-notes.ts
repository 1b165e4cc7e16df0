import type { Table } from '../term.js';
import { ENGLISH_REASONS } from './english-reasons.js';
import { every, forEyes, mark, note, says, ways } from './entries.js';

const SITES: Table = [
  mark('onto', 'into|onto|to|on|in|around|under|over|inside|at|into the|to the|on the|in the'),
  mark('quality', 'left|right|affected|l|r'),
  mark('side', 'each|both|upper|lower|the|a|one|either|clean|dry|alternate|entire|whole|infected'),
  mark('side', 'painful|sore|your|irritated|lt|rt|involved|outer|inner|same|itchy|hairless|clear'),
  mark('side', 'unbroken|non hairy|inflamed|swollen|red|dry clean|clean and dry|different|new'),
  mark('side', 'cleansed|washed|damp|wet|bare|fat|fatty|intact|flaky|scaly|middle|lateral|top'),
  mark('side', 'bottom|front|opposite|bad|good|unaffected|flat|fleshy|sensitive|each of the'),
  mark('side', 'both of the'),
  mark('body', 'eye|eyes|ear|ears|nostril|nostrils|nose|skin|area|areas|scalp|face|tongue|arm'),
  mark('body', 'arms|leg|legs|thigh|thighs|abdomen|stomach|belly|knee|knees|foot|feet|hand|hands'),
  mark('body', 'back|chest|shoulder|shoulders|neck|cheek|mouth|throat|vagina|rectum|lip|lips'),
  mark('body', 'elbow|elbows|hip|hips|wound|wounds|rash|toe|toes|toenail|nail|nails|gums|hair'),
  mark('body', 'body|site|lung|lungs|airways|muscle|buttock|upper arm|outer thigh|gum|eyelid'),
  mark('body', 'eyelids|lower eyelid|joint|joints|ankle|ankles|wrist|wrists|forehead|lesion'),
  mark('body', 'lesions|nare|nares|aa|groin|armpit|armpits|underarms|palms|soles|temple|ribs'),
  mark('body', 'bottom|penis|vulva|genitals|anus|gluteal|abdominal wall|finger|fingers|fingernail'),
  mark('body', 'fingernails|eyelashes|beard|trunk|skin folds|spots|patches|plaques|warts|wart'),
  mark('body', 'scar|stye|sores|sore|bites|blister|blisters|burn|patches of eczema|eczema patches'),
  mark('body', 'conjunctival sac|fatty tissue|deltoid|thigh muscle|tooth|teeth|sinuses|nappy area'),
  mark('body', 'diaper area|bladder|tube|infected toe nails|toe nails|ear canal|canal|region|part'),
  mark('body', 'parts|surface|surfaces|hairline|breast|breasts|flank|heel|heels|navel'),
  [{ is: 'note', part: 'site', eye: true }, 'ou|os|au|ad|as'],
  note('site', ways('od|os', 'and|&|/', 'od|os')),
  note('site', `re|le|${ways('r|l|rt|lt', 'eye|ear')}`),
  note('site', 'under the tongue|under tongue|beneath the tongue|under the skin'),
  note('site', 'between cheek and gum'),
];

const ROUTES: Table = [
  note('route', 'by mouth|orally|oral|via mouth|through the mouth|oral route|by oral route'),
  note('route', 'sublingually|subcutaneously|subcutaneous|topically|rectally|vaginally|nasally'),
  note('route', 'intramuscularly|intramuscular|intravenously|intravenous|intranasally|buccally'),
  note('route', 'intranasal|transdermally|by inhalation|via inhaler|via nebulizer|via nebuliser'),
  note('route', 'by nebulizer|by nebuliser|with spacer|via spacer|per vagina|by rectum|inhaled'),
  note('route', 'by nasal route|via nasal route|by each nare route|via peg tube|via ng tube'),
  note('route', 'via peg|via ng|via feeding tube|per peg|per ng tube|by nebulization'),
  note('route', 'by nebulisation|via nebulization|via nebulisation|via neb|by neb|nebulized'),
  note('route', 'nebulised|s/c|s / c|sub q|sub cut|subcutaneous route|by subcutaneous injection'),
  note('route', 'via subcutaneous injection|subcutaneous injection|by intramuscular injection'),
  note('route', 'intramuscular injection|by ophthalmic route|ophthalmic|otic|ophthalmically'),
  note('route', 'by inhalation route|by topical route|by transdermal route|by vaginal route'),
  note('route', 'vaginal|by rectal route|by sublingual route|buccal|inhalation|via aerochamber'),
  note('route', 'with aerochamber|through a spacer|using a spacer|with a spacer'),
  note('route', 'using a spacer device|using spacer|per tube|via tube|by tube'),
  note('route', 'via gastrostomy tube|via gtube|via j tube|under the skin|per ng|by oral syringe'),
  note('route', 'via oral syringe|with oral syringe|using oral syringe|orally via tube|in mouth'),
  note('route', 'per mouth|deep im|deep i m|by deep im injection|deep intramuscular injection'),
  note('route', 'by injection|as an injection|through feeding tube|via g tube'),
  note(
    'route',
    ways('via|using|with', '|the|a', 'handihaler|handi haler|inhaler|inhalation device|autohaler'),
  ),
];

const WITH = 'with|with or without|with or after|with or just after|preferably with';
const ABOUT = ways('at|at about|at around|at approximately|about', 'the');
const HARM = 'crush|chew|split|break|cut';
const AFTER_USE = 'after use|after using|after each use';

/** What is swallowed whole, and what is left out. */
const ADVICES: Table = [
  note('advice', 'only|locally|regularly|please|gently|slowly|whole|sparingly|liberally|thinly'),
  note('advice', 'well'),
  // With food, without water: how it goes with what.
  note('advice', ways(`${WITH}|without|after|before|preferably after`, 'food')),
  note('advice', ways('may be taken|can be taken|may take|take', 'with', '|or without', 'food')),
  note('advice', ways('with|with or after|with or just after|with or without', 'a', 'meal')),
  note('advice', ways('|preferably', 'on', '|an', 'empty stomach')),
  note('advice', 'empty stomach|after eating|before eating|with meal|with or without meals'),
  note('advice', 'with food or milk|with milk or food|with a drink of water|with fatty food'),
  note('advice', 'with a fatty meal|without regard to meals|regardless of meals'),
  note('advice', 'regardless of food|30 to 60 minutes before food|30-60 minutes before food'),
  note('advice', '2 hours after food|at least 30 minutes before food|two hours after food'),
  note('advice', ways('with|with a', '|light', 'snack')),
  note('advice', ways('with', '|your|the', 'main|largest|heaviest|first', 'meal', '|of the day')),
  note('advice', ways('with food to', 'reduce|avoid', 'stomach upset')),
  note(
    'advice',
    ways(
      '1 hour|one hour|1 hr|an hour',
      'before',
      '|food|meals|eating',
      'or',
      '2 hours|two hours|2 hrs',
      'after',
      'food|meals|eating|a meal',
    ),
  ),
  note('advice', ways('half an hour|30 minutes|30 mins|1 hour|an hour|one hour', 'before food')),
  // At the same time each day. On the same day of each week says how often.
  note('advice', ways(`|at|at the|${ABOUT}`, 'same time', '|daily|of day|each day|every day')),
  note('advice', ways('|on|on the', 'same day|same date', '|of the week')),
  note('advice', 'at a regular time|sharp|promptly|exactly'),
  says(ways('|on|the|on the', 'same day|same date', '|of', 'each week|every week'), every('week')),
  says(
    ways('|on|the|on the', 'same day|same date', '|of', 'each month|every month'),
    every('month'),
  ),
  // How much is spread.
  note('advice', ways('|a', 'thin', 'layer|film|coat|smear|even layer', '|of')),
  note('advice', ways('|a', 'small|pea sized|pea-size|pea size', 'amount', '|of')),
  note('advice', 'generously|a layer|layer|an even layer|a fingertip unit|fingertip unit'),
  note('advice', 'gently massage|until absorbed|leave overnight|as a soap substitute|as shampoo'),
  note('advice', 'as a shampoo|as soap substitute|on dry skin|on clean skin|before makeup'),
  note('advice', ways('|sparingly and|and', 'rub in', '|well|gently')),
  note('advice', ways('|and', 'massage in|leave on|leave on overnight')),
  note('advice', ways('after', 'washing|bathing|showering|shower|a shower|a bath')),
  note('advice', ways('avoid|avoiding', 'eyes|the eyes|eye area')),
  // What is not done.
  note('advice', ways("do not|don't", HARM)),
  note('advice', ways("do not|don't", HARM, '|or', HARM)),
  note('advice', 'do not chew crush or split|do not crush chew or break'),
  note('advice', 'do not crush, chew or break|do not skip doses|do not double dose'),
  note('advice', 'do not miss a dose|do not drive|while standing or sitting|sitting or standing'),
  note('advice', 'do not drink alcohol|no alcohol'),
  note('advice', ways('do not stop', '|suddenly|taking|abruptly')),
  note(
    'advice',
    ways(
      "do not stop|don't stop",
      '|taking',
      'without',
      'talking to|consulting|asking|telling',
      'your doctor|doctor',
    ),
  ),
  note('advice', ways("do not stop|don't stop", '|taking', 'without', 'medical advice')),
  note('advice', ways('do not lie down', '|for 30 minutes', '|after|after taking')),
  note('advice', ways('sit|stay|remain|sit or stand', 'upright for 30 minutes')),
  note(
    'advice',
    ways('avoid|not with', 'dairy|antacids|milk|sun|sun exposure|sunlight|alcohol|food|grapefruit'),
  ),
  note('advice', ways('avoid grapefruit', '|juice')),
  note('advice', ways('|this medicine', 'may', 'make you sleepy|make you drowsy|cause drowsiness')),
  note('advice', ways('may', 'discolor|color', 'urine')),
  note('advice', ways('even if', 'you feel|feeling', 'better|well')),
  // Patches that come off before the next one.
  note('advice', ways('|and', 'remove', '|it|patch', 'at night|at bedtime')),
  note(
    'advice',
    ways('|and', 'remove|removing|take off', '|the', 'old|previous|used', 'patch', '|first'),
  ),
  note(
    'advice',
    ways('|and|then', 'remove', '|patch|the patch', 'after|within', '8 hours|12 hours|16 hours'),
  ),
  note('advice', ways('remove and discard|remove & discard', '|patch', 'within|after', '12 hours')),
  note('advice', ways('|on for|for', '12 hours on', '|,|and', '12 hours off')),
  note('advice', ways('contains', 'aspirin|paracetamol')),
  // Before and after its use.
  note('advice', ways('shake', '|well|bottle|the bottle|inhaler', '|before use|before using')),
  note('advice', 'shake well and|keep refrigerated|keep in fridge|store in fridge|refrigerate'),
  note('advice', 'gargle after use|rinse and spit|rinse and spit after use|discard after use'),
  note('advice', 'wash hands after use|wash hands before use|wash off after use|wash off'),
  note('advice', ways('|and', 'rinse', '|mouth|your mouth', '|with water', AFTER_USE)),
  note('advice', ways('|and', 'rinse mouth', '|after|afterwards')),
  note('advice', ways('for', '30 seconds|1 minute|one minute', 'then|and', 'spit', '|out')),
  note('advice', ways('rotate|rotating', '|the', '|injection', 'site|sites')),
  note('advice', ways('wait 5 minutes between', '|each|different', 'drop|drops')),
  // How it is swallowed.
  note('advice', ways('|swallow|swallowed', 'whole', '|with water|with a glass of water')),
  note('advice', ways('|swallow', 'whole with plenty of water')),
  note('advice', 'chew before swallowing|chewed|to be chewed|chew well|chew thoroughly'),
  note('advice', 'chew or swallow|swallow|sucked|in 4 to 8 oz of water'),
  note('advice', 'followed by a glass of water|in liquid|total'),
  // For how long, and by whom.
  note('advice', ways('always|preferably|indefinitely|lifelong|continuously|uninterrupted')),
  note('advice', 'as maintenance|maintenance|maintenance dose|as a maintenance dose'),
  note('advice', 'continue|continuing|ongoing|ongoing treatment|on a regular basis|regular basis'),
  note('advice', 'crushed|with dialysis|after dialysis|until further notice|for maintenance'),
  note('advice', 'for life|clinic administered|by nurse|by the nurse'),
  note('advice', 'nurse to administer|given by nurse|by carer|carer to administer'),
  note('advice', 'self administered|self inject|self injected|supervised|thereafter|afterwards'),
  note('advice', 'from then on|started in hospital|repeat prescription|as before|no change'),
  note('advice', 'unchanged|around the clock|atc|round the clock|day and night'),
  note('advice', ways('|for|continue|on a', 'long-term|long term', '|use|basis')),
  note('advice', ways('without', 'a break|interruption|stopping')),
  note('advice', ways('dose', 'increase|increased|reduced|change|changed')),
  note('advice', ways('new', 'dose|medication|medicine')),
];

const MIXING: Table = [
  mark('mixed', 'dissolved|mixed|diluted|stirred|sprinkled|crushed|dispersed|crushed and mixed'),
  mark('mixed', 'dissolve|mix|stir|mixed well|and mixed'),
  mark('vessel', 'glass of|glass|full glass of|a glass of|a full glass of|a large glass of'),
  mark('vessel', 'half a glass of|half glass of|a half glass of|half a cup of|a little|some'),
  mark('vessel', 'a small amount of|small amount of|plenty of|lots of|cup of|a cup of'),
  mark('vessel', 'a tablespoon of|a teaspoon of|tablespoon of|spoonful of|a spoonful of|oz of|oz'),
  mark('vessel', 'ounces of|ounces|ounce of|fluid ounces of|a sip of|sip of|a drink of|at least'),
  mark('vessel', 'cold|warm|lukewarm|fresh|soft|a bit of|half a glass|sufficient|cool|hot'),
  mark('vessel', 'beverage of|ml of|ml'),
  mark('liquid', 'water|juice|orange juice|apple juice|fruit juice|milk|fluid|fluids|liquid'),
  mark('liquid', 'beverage|drink|yogurt|yoghurt|applesauce|apple sauce|pudding|jam|feed|feeds'),
  mark('liquid', 'soft food|food|foods|honey|saline|beverage of choice|liquids|squash'),
  // Tea alone may be the evening meal.
  mark('liquid', 'tap water|formula|breast milk|cup of tea|a cup of tea|herbal tea|green tea'),
];

const PREPARATIONS =
  'cream|lotion|shampoo|inhaler|ear drops|nasal spray|solution|suspension|' +
  'syrup|liquid|powder|extended release|er|xr|xl|sr|la|cr|delayed release|dr|ec|mr|e/c|m/r|' +
  'enteric coated|slow release|modified release|prolonged release|chewable|effervescent|soluble|' +
  'dispersible|orodispersible|film coated|gastro resistant|coated|mouthwash|foam|spray|paste|' +
  'emollient|oral syringe|oral solution|oral suspension|nasal';

/** The English words of what does not change when it rings: sites, routes, advice, reasons. */
export const ENGLISH_NOTES: Table = [
  ...SITES,
  ...MIXING,
  ...ROUTES,
  ...ADVICES,
  ...ENGLISH_REASONS,
  note('medicine', PREPARATIONS),
  forEyes('ointment|gel|eye drops|eye drop|eye ointment|eye gel'),
  note('limit', 'max daily dose|maximum daily dose'),
];
