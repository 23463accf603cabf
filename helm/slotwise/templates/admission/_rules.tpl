{{/* The table of rules with its pieces filled in. Pieces may contain pieces. */}}
{{- define "slotwise.admission.rules" -}}
{{- $text := .Files.Get "files/admission/rules.yaml" -}}
{{- range $i, $_ := until 4 -}}
{{- range $name, $piece := ($.Files.Get "files/admission/rules.yaml" | fromYaml).pieces -}}
{{- $text = $text | replace (printf "<%s>" $name) $piece -}}
{{- end -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{/*
The validations of one kind of object. Arguments: rules ({labels, annotations}), what (the object's name in messages).
An update is checked only where it changes something, so that objects older than the policy can still be edited.
*/}}
{{- define "slotwise.admission.validations" -}}
{{- range $place := list "labels" "annotations" }}
{{- $one := trimSuffix "s" $place }}
{{- range $short, $rule := index $.rules $place }}
{{- $key := printf "slotwise.io/%s" $short }}
{{- $value := printf "variables.%s['%s']" $place $key }}
{{- $conditions := list }}
{{- range $rule.matches }}
{{- $conditions = append $conditions (printf "%s.matches(r'%s')" $value .) }}
{{- end }}
- expression: >-
    !('{{ $key }}' in variables.changed_{{ $place }})
    || ({{ join " && " $conditions }})
  reason: Invalid
  messageExpression: >-
    'The {{ $one }} {{ $key }} (' + {{ $value }} + ') is malformed; expected {{ replace "'" "\\'" $rule.expected }}.'
{{- end }}
{{- $known := list }}
{{- $offered := list }}
{{- range $short, $rule := index $.rules $place }}
{{- $known = append $known (printf "'slotwise.io/%s'" $short) }}
{{- if not $rule.written }}
{{- $offered = append $offered (printf "slotwise.io/%s" $short) }}
{{- end }}
{{- end }}
- expression: >-
    variables.changed_{{ $place }}.all(k, !k.startsWith('slotwise.io/') || k in [{{ join ", " $known }}])
  reason: Invalid
  messageExpression: >-
    'The {{ $one }} ' + variables.changed_{{ $place }}.filter(k, k.startsWith('slotwise.io/') && !(k in [{{ join ", " $known }}]))[0]
    + ' is not known to Slotwise on a {{ $.what }}; expected {{ if $offered }}one of the {{ $place }} {{ join ", " $offered }}{{ else }}no {{ $one }} of ours{{ end }}.'
{{- end }}
{{- end -}}

{{/* Validates two annotations of a pod together. Malformed ones are left to their own rules. */}}
{{- define "slotwise.admission.deadline" -}}
- expression: >-
    !variables.changed_annotations.exists(k, k in ['slotwise.io/earliest-start', 'slotwise.io/deadline'])
    || !('slotwise.io/earliest-start' in variables.annotations) || !('slotwise.io/deadline' in variables.annotations)
    || timestamp(variables.annotations['slotwise.io/earliest-start']) < timestamp(variables.annotations['slotwise.io/deadline'])
  reason: Invalid
  messageExpression: >-
    'The annotation slotwise.io/deadline (' + variables.annotations['slotwise.io/deadline'] + ') leaves no time; expected an instant after slotwise.io/earliest-start ('
    + variables.annotations['slotwise.io/earliest-start'] + ').'
{{- end -}}

{{/* The variables that the validations use. Arguments: path (from the object to the metadata that is checked). */}}
{{- define "slotwise.admission.variables" -}}
{{- range $place := list "labels" "annotations" }}
- name: {{ $place }}
  expression: object.{{ $.path }}.?{{ $place }}.orValue({})
- name: old_{{ $place }}
  expression: 'oldObject == null ? {} : oldObject.{{ $.path }}.?{{ $place }}.orValue({})'
- name: changed_{{ $place }}
  expression: >-
    variables.{{ $place }}.filter(k, !(k in variables.old_{{ $place }}) || variables.old_{{ $place }}[k] != variables.{{ $place }}[k])
{{- end }}
{{- end -}}
