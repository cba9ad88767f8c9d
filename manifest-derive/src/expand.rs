//! From the model to code. Cannot fail.

use crate::model::{Field, Model, Role, Settings};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path, Type};

/// The implementation of a valid struct.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let Model { name, generics, root, settings, fields } = model;
    let kinds: Vec<_> = fields.iter().filter_map(kind).collect();
    let names: Vec<_> = (0..kinds.len()).map(|i| format_ident!("__MANIFEST_KIND_{i}")).collect();
    let required = (!kinds.is_empty()).then(|| {
        quote! { const REQUIRED: &'static [#root::Class] = &[#(#names),*]; }
    });
    let plan = plan(settings, root);
    let policy = plan.as_ref().map(|plan| {
        quote! { fn policy() -> #root::Policy { #root::__private::Plan::policy(#plan) } }
    });
    // An associated constant is evaluated only where it is used, these always.
    let checks = plan.iter().map(|plan| quote! { const _: #root::__private::Plan = #plan; });
    let checks = checks.chain(names.iter().zip(&kinds).map(|(name, kind)| {
        let class = at(kind.span(), quote! { #root::__private::class });
        quote_spanned! {kind.span()=> const #name: #root::Class = #class(#kind); }
    }));
    let steps = fields.iter().map(|field| step(field, root));
    let mut generics = (*generics).clone();
    let parameters: Vec<_> = generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let bounded: Vec<_> = fields.iter().filter(|field| mentions(field.ty, &parameters)).collect();
    if !bounded.is_empty() {
        let clause = generics.make_where_clause();
        for Field { ty, role, .. } in bounded {
            let bound = bound(role);
            clause.predicates.push(syn::parse_quote!(#ty: #root::#bound));
        }
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        const _: () = {
            #(#checks)*

            #[automatically_derived]
            impl #impl_generics #root::Manifest for #name #type_generics #clause {
                #required

                #policy

                fn declare<'__manifest>(&'__manifest self, to: &mut #root::Declaration<'__manifest>) {
                    #(#steps)*
                }
            }
        };
    }
}

/// An implementation for a struct with mistakes, so that its uses are no mistakes too.
pub(crate) fn fallback(model: &Model<'_>) -> TokenStream {
    let Model { name, generics, root, .. } = model;
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #root::Manifest for #name #type_generics #clause {
                fn declare<'__manifest>(&'__manifest self, _: &mut #root::Declaration<'__manifest>) {}
            }
        };
    }
}

/// The policy of the struct, each number at its place in the source; `None` for the default.
fn plan(settings: &Settings, root: &Path) -> Option<TokenStream> {
    let Settings { policy, floor, depth, recall, order, observe } = settings;
    let numbers = [("floor", floor), ("recall", recall), ("depth", depth)];
    let any =
        policy.is_some() || order.is_some() || *observe || numbers.iter().any(|(_, number)| number.is_some());
    if !any {
        return None;
    }
    let preset = policy.clone().unwrap_or_else(|| Ident::new("Remediation", call_site()));
    let step = |span, name: &str| {
        let name = Ident::new(name, span);
        at(span, quote! { #root::__private::Plan::#name })
    };
    let mut plan = quote! { #root::__private::Plan::of(#root::Preset::#preset) };
    for (name, number) in numbers {
        if let Some(number) = number {
            let step = step(number.span(), name);
            plan = quote_spanned! {number.span()=> #step(#plan, #number) };
        }
    }
    if let Some(order) = order {
        let step = step(call_site(), "order");
        plan = quote! { #step(#plan, #root::Order::#order) };
    }
    if *observe {
        let step = step(call_site(), "observe");
        plan = quote! { #step(#plan, true) };
    }
    if let (Some(depth), Some(_)) = (depth, recall) {
        let step = step(depth.span(), "afforded");
        plan = quote_spanned! {depth.span()=> #step(#plan) };
    }
    Some(plan)
}

/// The same tokens at another place: a call is reported where its first and its last token stand.
fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let place = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(place).collect()
}

fn call_site() -> Span {
    Span::call_site()
}

/// Hands one field over; a type that cannot hold what it should is reported at the type.
fn step(field: &Field<'_>, root: &Path) -> TokenStream {
    let Field { member, ty, role } = field;
    let call = match role {
        Role::Text => quote! { texts },
        Role::Fact { .. } => quote! { facts },
        Role::Conflicts => quote! { conflicts },
        Role::Drops => quote! { drops },
    };
    let required = match role {
        Role::Fact { required, .. } => Some(quote! { #required, }),
        _ => None,
    };
    quote_spanned! {ty.span()=> #root::__private::#call::<#ty>(&self.#member, #required to); }
}

fn bound(role: &Role) -> Ident {
    let name = match role {
        Role::Text => "TextField",
        Role::Fact { .. } => "FactField",
        Role::Conflicts => "ConflictsField",
        Role::Drops => "DropsField",
    };
    Ident::new(name, call_site())
}

fn kind<'f>(field: &'f Field<'_>) -> Option<&'f syn::LitStr> {
    match &field.role {
        Role::Fact { kind, .. } => kind.as_ref(),
        _ => None,
    }
}

/// Whether a type mentions one of these parameters.
fn mentions(ty: &Type, parameters: &[Ident]) -> bool {
    fn any(tokens: TokenStream, parameters: &[Ident]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => parameters.contains(&ident),
            TokenTree::Group(group) => any(group.stream(), parameters),
            _ => false,
        })
    }
    any(ty.to_token_stream(), parameters)
}
